/** The example for Prisma runs, with a client that is generated for it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { root } from '../../../scripts/places.mjs';
import { output } from '../../../scripts/run.mjs';
import { startFaultServer } from '../../client/fault-server.mjs';
import { installTools, program, projectOf } from '../../everywhere/projects.mjs';
import { MODULES, Pool, URL_OF_TESTS, newSchema } from '../postgres.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const skip = URL_OF_TESTS ? false : 'no TEST_DATABASE_URL';

/** Generates the client. This needs no engine of Prisma, but without the variable Prisma would download one. */
function generate(project) {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  cpSync(join(HERE, 'schema.prisma'), join(project, 'schema.prisma'));
  const args = ['generate', '--schema', 'schema.prisma'];
  assert.match(output(program('prisma'), args, { cwd: project, env }) ?? '', /Generated Prisma Client/);
}

test('the example for prisma: the cart and the order are stored together, or not at all', { skip }, async (t) => {
  const server = await startFaultServer();
  t.after(() => server.close());
  const pool = new Pool({ connectionString: URL_OF_TESTS });
  const schema = newSchema();
  await pool.query('CREATE TABLE prisma_cart (id text PRIMARY KEY, order_id text NOT NULL)');
  t.after(async () => {
    await pool.query(`DROP TABLE prisma_cart; DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await pool.end();
  });

  await installTools();
  const project = projectOf({ where: 'Prisma' });
  symlinkSync(join(MODULES, 'pg'), join(project, 'node_modules/pg'), 'junction');
  generate(project);
  cpSync(join(root, 'examples/outbox/prisma.mjs'), join(project, 'prisma.mjs'));
  const child = spawn(process.execPath, [join(project, 'prisma.mjs')], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: URL_OF_TESTS, SCHEMA: schema, BASE_URL: server.baseUrl, TOKEN: 'token' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal(await text(child.stdout), 'rolled back: null 0\ncommitted: created 1\n');
  assert.equal(server.orders.size, 1);
});
