/**
 * Bundles the command line into dist/cli of the package: a module for each command, so that each loads only what it needs.
 * It runs on the package that it is part of, whose modules stay outside.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../places.mjs';

export async function bundleCli(pkg) {
  const commands = readdirSync(join(root, 'www/cli/commands')).map((file) => `www/cli/commands/${file}`);
  await build({
    absWorkingDir: root,
    entryPoints: ['www/cli/main.ts', ...commands],
    outbase: 'www/cli',
    outdir: join(pkg, 'dist/cli'),
    chunkNames: 'shared/[hash]',
    bundle: true,
    splitting: true,
    // The hashes in names depend on paths, which are those of the repository even if its node_modules is a link.
    preserveSymlinks: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    external: ['sales-order-intake', 'sales-order-intake/*', '#serve'],
    plugins: [tablesOnly, ownParts],
    logLevel: 'warning',
  });
}

/** Keeps only the rows of codes, decisions and sections of the specification from a Markdown file. */
const tablesOnly = {
  name: 'tables-only',
  setup({ onLoad }) {
    onLoad({ filter: /\.md$/ }, ({ path }) => {
      const rows = readFileSync(path, 'utf8').match(/^\| (?:`\w+`|<a id[^|]*>D?[\d., ]+) \|.*$/gm) ?? [];
      return { contents: `${rows.join('\n')}\n`, loader: 'text' };
    });
  },
};

/** What is taken from the other parts of the package must be a part of it at run time, not a copy. These may be copied. */
const COPIED = ['../options/base-url.js'];
const ownParts = {
  name: 'own-parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/(\.\.\/)?(outbox|testing|client)\// }, ({ path }) =>
      COPIED.includes(path) ? undefined : { errors: [{ text: `${path} must be imported by its entry` }] },
    );
  },
};
