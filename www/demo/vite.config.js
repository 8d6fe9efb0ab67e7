import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const built = (path) => fileURLToPath(new URL(`../../pkg/${path}`, import.meta.url));

const page = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The part of the policy that a page can set itself; frame-ancestors needs a header of the server. */
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
  // The page works in any folder of a static server.
  base: './',
  resolve: {
    // The package as published. Page and client share one core, the file core.wasm, because the slim entries have none.
    alias: [
      { find: /^sales-order-intake\/slim\/client$/, replacement: built('dist/esm/slim/client/index.js') },
      { find: /^sales-order-intake\/slim$/, replacement: built('dist/esm/slim/index.js') },
      { find: /^sales-order-intake$/, replacement: built('dist/esm/slim/index.js') },
      // The readers of the command line, which the page loads when a file is opened.
      { find: /^node:(?:fs|fs\/promises|path)$/, replacement: page('src/file/node.ts') },
      { find: /^\.\.\/arguments\/program\.js$/, replacement: page('src/file/node.ts') },
      { find: /^csv-parse$/, replacement: page('src/file/csv-parse.ts') },
      { find: /^sales-order-intake\/core\.wasm/, replacement: built('core.wasm') },
    ],
  },
  build: { target: 'es2024', modulePreload: false, assetsInlineLimit: 0 },
  plugins: [policyAndPreload(), compressed()],
});

/** Adds the policy, and a preload of the core, so that it loads together with the script. */
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

/** Brotli's mode for fonts, which compresses WebAssembly best. */
const FOR_WASM = { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT } };

/** Compresses every file, for servers that serve compressed files. */
function compressed() {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir }) {
      for (const name of readdirSync(dir, { recursive: true })) {
        const path = join(dir, name);
        if (!statSync(path).isFile()) continue;
        const bytes = readFileSync(path);
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, name.endsWith('.wasm') ? FOR_WASM : {}));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
