/**
 * Bundles the command line into dist/cli of the package: a module for each command and thread, so that each loads only what it
 * needs.
 * It runs on the package that it is part of, whose modules stay outside.
 */
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, target } from '../places.mjs';
import { constantsOfPackage } from './core.mjs';

export async function bundleCli(pkg) {
  const dir = join(pkg, 'dist/cli');
  await compiled(dir, true);
  chmodSync(join(dir, 'main.js'), 0o755);
}

/** Returns the names of the npm packages whose code is in the bundle, sorted. */
export async function packagesInCli() {
  const { metafile } = await compiled(join(target, 'cli'), false);
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

/** Compiles the commands, and what several of them share. */
function compiled(outdir, write) {
  const commands = readdirSync(join(root, 'cli/commands')).map((file) => `commands/${file}`);
  return build({
    absWorkingDir: root,
    // A thread starts as a module of its own.
    entryPoints: ['main.ts', 'relay/evaluation-thread.ts', ...commands].map((file) => `cli/${file}`),
    outbase: 'cli',
    outdir,
    write,
    chunkNames: 'shared/[hash]',
    metafile: true,
    bundle: true,
    splitting: true,
    // The hashes in names depend on paths, which are those of the repository even if its node_modules is a link.
    preserveSymlinks: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    define: constantsOfPackage(),
    external: ['sales-order-intake', 'sales-order-intake/*', '#serve'],
    loader: { '.toml': 'text' },
    logLevel: 'warning',
  });
}
