/** Tests the types that libraries infer from salesOrderSchema, and that programs without it do not bundle it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { program } from '../../scripts/places.mjs';
import { installedFile, projects } from '../node/installed.mjs';

test('a program that passes the schema to the libraries compiles', () => {
  const folder = dirname(fileURLToPath(import.meta.url));
  const compilerOptions = {
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] },
    // Does not check the libraries' own types; tests/types checks those of this package.
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

test('a bundle without salesOrderSchema contains no JSON Schema', async () => {
  const without = await bundle("import { validateOrder } from 'sales-order-intake'; console.log(validateOrder({}));");
  assert.ok(!without.includes('$defs'));
  const withIt = await bundle(
    "import { salesOrderSchema } from 'sales-order-intake'; console.log(salesOrderSchema());",
  );
  assert.ok(withIt.includes('$defs'));
});
