/** A page's way to tell what came of it: a POST to the loopback server that its address names. Imported first. */
const said = [];
for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
  const original = console[level];
  console[level] = (...values) => {
    said.push(`${level}: ${values.join(' ')}`);
    original.apply(console, values);
  };
}
addEventListener('error', ({ message }) => said.push(`uncaught: ${message}`));
addEventListener('unhandledrejection', ({ reason }) => said.push(`unhandled: ${reason}`));

export const base = new URL(location.href).searchParams.get('base');

export async function report(working) {
  const result = await Promise.resolve(working).catch(told);
  await fetch(`${base}/report`, { method: 'POST', body: JSON.stringify({ result, said }) });
}

/** An error as data. */
export function told(error) {
  return { error: error.name, reason: error.reason ?? error.message };
}
