/** Tests that the handlers fit the types of Mock Service Worker. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program, root } from '../../scripts/places.mjs';
import { installedFile, projects } from '../node/installed.mjs';

for (const msw of ['msw', 'msw-2'])
  test(`a program that passes the handlers to ${msw} compiles`, () => {
    const compilerOptions = {
      ...{
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
      },
      // Does not check its own types.
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
      paths: {
        msw: [program(`${msw}/lib/core/index.d.ts`)],
        'msw/node': [program(`${msw}/lib/node/index.d.ts`)],
        'sales-order-intake': [installedFile('dist/esm/index.d.ts')],
        'sales-order-intake/testing': [installedFile('dist/esm/testing/index.d.ts')],
      },
    };
    const project = join(projects().esmProject, 'tsconfig.testing.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [join(root, 'tests/testing/msw.ts')] }));
    const { status, stdout } = spawnSync(process.execPath, [program('typescript/bin/tsc'), '-p', project], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  });
