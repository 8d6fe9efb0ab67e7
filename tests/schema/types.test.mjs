/** What the libraries infer from salesOrderSchema, compiled; and that who does not use it does not get it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { program } from '../../scripts/places.mjs';
import { installedFile, projects } from '../node/installed.mjs';

test('a program that gives the schema to the libraries compiles', () => {
  const folder = dirname(fileURLToPath(import.meta.url));
  const compilerOptions = {
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] },
    // The libraries' own types are theirs to check; those of this package are, in tests/types.
    skipLibCheck: true,
    paths: { 'sales-order-intake': [installedFile('dist/esm/index.d.ts')] },
  };
  const project = join(projects().esmProject, 'tsconfig.schema.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [join(folder, 'form.ts')] }));
  const { status, stdout } = spawnSync(process.execPath, [program('typescript/bin/tsc'), '-p', project], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});

const bundle = async (code) => {
  const stdin = { contents: code, resolveDir: projects().esmProject };
  const {
    outputFiles: [{ text }],
  } = await build({ stdin, bundle: true, format: 'esm', write: false, minify: true });
  return text;
};

test('a bundle without salesOrderSchema holds no JSON Schema', async () => {
  const without = await bundle("import { validateOrder } from 'sales-order-intake'; console.log(validateOrder({}));");
  assert.ok(!without.includes('$defs'));
  const withIt = await bundle(
    "import { salesOrderSchema } from 'sales-order-intake'; console.log(salesOrderSchema());",
  );
  assert.ok(withIt.includes('$defs'));
});
