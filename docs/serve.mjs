/** Serves the built site on loopback, as a static server does, and prints its address: `make docs-serve`. */
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { base } from './site-address.mjs';

const PORT = Number(process.env.PORT ?? 4173);

/** Returns Vite's server of static files. The port 0 takes a free one. */
export function serveSite(port) {
  return preview({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    appType: 'mpa',
    base,
    build: { outDir: '.vitepress/dist' },
    preview: { host: '127.0.0.1', port, strictPort: port === 0 },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serveSite(PORT);
  console.log(`the documentation: ${server.resolvedUrls?.local[0]}`);
}
