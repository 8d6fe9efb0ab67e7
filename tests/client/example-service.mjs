/**
 * Plays the service that the documentation's examples send orders to, so that they run unchanged. Loaded before an example
 * with `node --import`. Rejects every other fetch.
 */
const originalFetch = globalThis.fetch;

globalThis.fetch = async (url, init) => {
  const { protocol, origin } = new URL(url);
  if (protocol === 'data:' || protocol === 'file:') return originalFetch(url, init);
  if (origin !== 'https://intake.example.com') throw new Error(`no example may fetch ${origin}`);
  if (init.headers.Authorization !== 'Bearer a-token') return new Response(null, { status: 401 });
  return new Response(JSON.stringify({ ...JSON.parse(init.body), ReceiptNumber: 'R-1042' }), { status: 201 });
};
