/** Runs the bundle of wrangler, and prints the response to one request: `serve.mjs <base URL>`, or with the reference service. */
import { Miniflare } from 'miniflare';
import { createTestService } from 'sales-order-intake/testing';

const [base] = process.argv.slice(2);
const service = createTestService();
const query = new URLSearchParams(base ? { base } : { base: service.baseUrl, token: service.token });
const miniflare = new Miniflare({
  modules: true,
  scriptPath: 'dist/worker.js',
  modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
  compatibilityDate: '2026-04-01',
  ...(base ? {} : { outboundService: (request) => service.fetch(request.url, request) }),
});
const response = await miniflare.dispatchFetch(`http://localhost/?${query}`);
const report = await response.json();
console.log(JSON.stringify(base ? report : { ...report, orders: service.orders.length }));
await miniflare.dispose();
