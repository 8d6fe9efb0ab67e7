/** Reports the result of a page by a POST to the loopback server in its address. Imported first. */
const said = [];
for (const level of ['debug', 'log', 'info', 'warn', 'error']) {
  const original = console[level];
  console[level] = (...values) => {
    said.push(`${level}: ${values.join(' ')}`);
    original.apply(console, values);
  };
}
addEventListener('error', ({ message }) => report(Promise.reject(new Error(message))));
addEventListener('unhandledrejection', ({ reason }) => report(Promise.reject(reason)));

export const base = new URL(location.href).searchParams.get('base');

/** Reports what the work resolves to, or its error as data, and the console output until then. */
export async function report(working) {
  const result = await working.catch((error) => ({ error: error.name, reason: error.reason ?? error.message }));
  await fetch(`${base}/report`, { method: 'POST', body: JSON.stringify({ result, said }) });
}
