/**
 * Builds the npm package into pkg/: the core from Rust, unless it is stored already, and modules from TypeScript around it.
 * Does nothing if neither the sources nor pkg/ have changed. Installs the npm dependencies first, so this file itself
 * imports none of them.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pkg, root, target } from '../places.mjs';
import { fail, start } from '../run.mjs';
import { compileCore } from './compile-core.mjs';
import { findCore, hashOfCore, storeCore } from './core.mjs';
import { GLUE, glueOf, writeGlue } from './glue.mjs';
import { hashOf } from './hash.mjs';

/** The sources of the package, except those of the core. Add every file that the build reads. */
const SOURCES = [
  'pkg-template',
  'www/client',
  'testing',
  'outbox',
  'tests/internals.ts',
  'cli',
  'service/rules/src/openapi.json',
  'src/issue-codes.md',
  // The command line explains the codes, with examples and decisions.
  'examples/issue-examples.json',
  'docs/reference/decisions.md',
  'package-lock.json',
  'scripts/build',
  'CHANGELOG.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
];
const STAMP = join(target, 'pkg.stamp');
/** The folder of this run; a concurrent build uses another. */
const STAGE = join(target, `pkg-stage-${process.pid}`);

// Computed before the build, because changes during the build are not in pkg/.
const hash = hashOfCore();
const sources = hashOf(SOURCES, hash);
const isCurrent = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp();
const core = isCurrent ? undefined : findCore(hash);
process.on('exit', () => rmSync(STAGE, { recursive: true, force: true }));
const compiled = isCurrent || core ? undefined : compileCore(STAGE);
await start(process.execPath, [join(root, 'scripts/dependencies.mjs'), '.']);
if (isCurrent) {
  console.log('pkg/ is up to date');
} else {
  await build(core ?? (await finishModules(compiled)));
  writeFileSync(STAMP, stamp());
  const { printSizes } = await import('../check/sizes.mjs');
  await printSizes(pkg);
}

async function finishModules(compiled) {
  const { finishCore } = await import('./finish-core.mjs');
  const { core, orders, fates, service } = await compiled;
  const finishing = [
    finishCore(core),
    finishCore(orders),
    finishCore(fates),
    finishCore(service, { passes: ['-O1', '--dae-optimizing'] }),
  ];
  const [coreGlue, serviceGlue] = [glueOf(core), glueOf(service)];
  const modules = {
    'core.wasm': await finishing[0],
    'orders.wasm': await finishing[1],
    'fates.wasm': await finishing[2],
    'core.js': coreGlue.js,
    'core.d.ts': coreGlue.types,
    'service.wasm': await finishing[3],
    'service.js': serviceGlue.js,
    'service.d.ts': serviceGlue.types,
  };
  if (hashOfCore() !== hash) fail('The sources of the core changed while it was built: run `make build` again');
  storeCore(hash, modules);
  return modules;
}

async function build(modules) {
  const { writePackage } = await import('./write-package.mjs');
  writeGlue(modules);
  const staged = join(STAGE, 'pkg');
  await writePackage(staged, modules);
  rmSync(pkg, { recursive: true, force: true });
  renameSync(staged, pkg);
}

function stamp() {
  return `sources ${sources}\npkg ${hashOf(['pkg', GLUE])}\n`;
}
