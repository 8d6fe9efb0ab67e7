const { writeFileSync } = require('node:fs');
const { run } = require('./program.cjs');

test('the program runs, or reports why it cannot', async () => {
  const report = await run(process.env.LOOPBACK).catch(({ name, reason }) => ({ error: name, reason }));
  writeFileSync('report.json', JSON.stringify(report));
});
