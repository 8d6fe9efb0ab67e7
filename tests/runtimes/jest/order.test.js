const { run } = require('./program.cjs');

test('the program runs', async () => {
  const base = process.env.LOOPBACK;
  await fetch(`${base}/report`, { method: 'POST', body: JSON.stringify(await run(base)) });
});
