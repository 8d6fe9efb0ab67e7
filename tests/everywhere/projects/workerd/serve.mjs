/** Runs the bundle of wrangler, sends it one request and prints the response: `serve.mjs <base URL>`. */
import { Miniflare } from 'miniflare';

const miniflare = new Miniflare({
  modules: true,
  scriptPath: 'dist/worker.js',
  modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
  compatibilityDate: '2026-04-01',
});
const response = await miniflare.dispatchFetch(`http://localhost/?base=${process.argv[2]}`);
console.log(await response.text());
await miniflare.dispose();
