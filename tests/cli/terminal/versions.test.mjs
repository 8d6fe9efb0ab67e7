/** The packed tarball by each Node that the package promises: through npx, from pipes, and as a service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../scripts/places.mjs';
import { projects } from '../../node/installed.mjs';
import { nodeOf } from '../../../scripts/node.mjs';
import { csv, MAPPING, ndjson, TEA } from '../orders.mjs';
import { cleanEnv, finished, folderOf, followed, serviceOf, TOKEN } from '../program.mjs';
import { refusesLargeBodies, served } from '../served.mjs';

const VERSIONS = ['20', '22', '24'];

const version = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^version = "(.*)"/m)?.[1];
const created = () => ({ status: 201 });

const FILE = ['orders.csv', '--map', 'mapping.json'];
/** @type {[string[], RegExp][]} */
const READ_ONLY = [
  [['check', ...FILE], /^Checked 1 order for v3\. It is valid\.\n$/],
  [['preview', ...FILE, '--explain'], /^Subtotal +39\.98$/m],
  [['request', ...FILE], /^curl .*--request PUT "\$\{SALES_ORDER_INTAKE_BASE_URL%\/\}"/],
  [['id', '--namespace', MAPPING.namespace, '--key', '1'], /^[0-9a-f-]{36}\n$/],
  [['explain', 'not_a_guid'], /^not_a_guid {2}error\n/],
];

/**
 * Runs `npx sales-order-intake …` by a version of Node.
 *
 * @param {string[]} args
 * @param {{ node: string, cwd?: string, env?: object }} options
 */
async function npx(args, { node, cwd, env = {} }) {
  const PATH = [dirname(nodeOf(node)), process.env.PATH].join(delimiter);
  // npx looks for the package in the project, and runs its program in the folder of the user.
  const npm = ['--offline', '--prefix', projects().esmProject, 'exec', '--', 'sales-order-intake', ...args];
  const result = await finished(followed(spawn('npm', npm, { cwd, env: cleanEnv({ ...env, PATH }) })));
  // npm warns of settings of the machine.
  return { ...result, err: result.err.replace(/^npm warn .*\n/gm, '') };
}

for (const node of VERSIONS) {
  test(`npx sales-order-intake runs in Node ${node}`, async (t) => {
    const cwd = folderOf(t, { 'orders.csv': csv(`1,2000,${TEA},2,19.99,`), 'mapping.json': MAPPING });
    const shown = await npx(['--version'], { node });
    assert.deepEqual(shown, { code: 0, out: `${version}\n`, err: '' });
    await Promise.all(
      READ_ONLY.map(async ([args, expected]) => {
        const { code, out, err } = await npx(args, { node, cwd });
        assert.deepEqual([code, err], [0, ''], args[0]);
        assert.match(out, expected);
      }),
    );
  });
}

test('Node 20 has no SQLite: commands say what needs it, and end with 2', async (t) => {
  const cwd = folderOf(t, { 'orders.ndjson': ndjson(1) });
  for (const args of [
    ['send', 'orders.ndjson', '--base-url', 'http://127.0.0.1:9'],
    ['outbox', 'orders.ndjson', 'list'],
    ['relay', '--base-url', 'http://127.0.0.1:9', '--listen', '127.0.0.1:0'],
  ]) {
    const { code, out, err } = await npx(args, { node: '20', cwd, env: { SALES_ORDER_INTAKE_TOKEN: TOKEN } });
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(
      err,
      /^error: (send|outbox|an outbox in a file) needs Node 22\.13 or later, for its journal in SQLite; this is Node 20\./,
    );
    assert.doesNotMatch(err, /^\s+at /m);
  }
});

for (const node of ['22', '24']) {
  test(`Node ${node} sends, without a warning about SQLite`, async (t) => {
    const cwd = folderOf(t, { 'orders.ndjson': ndjson(3) });
    const { baseUrl, paths } = await serviceOf(t, created);
    const env = { SALES_ORDER_INTAKE_TOKEN: TOKEN };
    const { code, out, err } = await npx(['send', 'orders.ndjson', '--base-url', baseUrl], { node, cwd, env });
    assert.deepEqual([code, out], [0, '3 orders: 3 created.\n'], err);
    assert.equal(new Set(paths).size, 3);
    assert.doesNotMatch(err, /Warning/);
  });
}

for (const version of VERSIONS) {
  test(`a body that is too large is refused with 413, and the service goes on, in Node ${version}`, async () => {
    await refusesLargeBodies(await served([], { node: nodeOf(version) }));
  });
}
