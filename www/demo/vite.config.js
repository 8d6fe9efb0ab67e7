import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const built = (path) => fileURLToPath(new URL(`../../pkg/${path}`, import.meta.url));

/** What a page can say of its own; frame-ancestors is for the server's header alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export default defineConfig({
  // Usable from any folder of a static server.
  base: './',
  resolve: {
    // The package as it is published. One core for page and client: the slim entries hold none, core.wasm is a file beside.
    alias: [
      { find: /^sales-order-intake\/slim\/client$/, replacement: built('dist/esm/slim/client/index.js') },
      { find: /^sales-order-intake\/slim$/, replacement: built('dist/esm/slim/index.js') },
      { find: /^sales-order-intake\/core\.wasm/, replacement: built('core.wasm') },
    ],
  },
  build: { target: 'es2023', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  plugins: [policyAndPreload(), compressed()],
});

/** The core is asked for together with the script, not after it. */
function policyAndPreload() {
  return {
    name: 'policy-and-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const core = Object.keys(bundle).find((name) => name.endsWith('.wasm'));
        return [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
            injectTo: 'head-prepend',
          },
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: `./${core}` },
            injectTo: 'head',
          },
        ];
      },
    },
  };
}

/** For servers that hand out what was compressed before. */
function compressed() {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir, { recursive: true })) {
        const path = join(dir, name);
        if (!statSync(path).isFile()) continue;
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
