/** The programs of docs/guides/relay.md, in their languages, against a relay and the test service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../../scripts/places.mjs';
import { output } from '../../../../scripts/run.mjs';
import { fencesOf } from '../../../docs/fences.mjs';
import { cleanEnv, finished, folderOf, followed } from '../../program.mjs';
import { served } from '../../served.mjs';
import { ask, relayed } from '../relays.mjs';

const SHOWN = 'http://127.0.0.1:4020';
const page = readFileSync(join(root, 'docs/guides/relay.md'), 'utf8');
const programs = fencesOf(page).filter(({ language }) => !['sh', 'js'].includes(language));

/** The program of each language, and what finds out whether it is there. */
const LANGUAGES = {
  python: { program: 'python3', check: ['-c', ''] },
  php: { program: 'php', check: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'] },
  ruby: { program: 'ruby', check: ['-e', ''] },
};

test('the guide has a program of each language', () => {
  assert.deepEqual(
    programs.map(({ language }) => language),
    Object.keys(LANGUAGES),
  );
});

for (const { language, code } of programs) {
  const { program, check } = LANGUAGES[language];
  const isThere = output(program, check) !== undefined;

  test(`the program in ${language} creates its order`, { skip: !isThere && `${program} is missing` }, async (t) => {
    const service = await served(['--fault', 'drop-after=0.5']);
    t.after(() => service.child.kill('SIGKILL'));
    const relay = await relayed(t, service);
    const file = join(folderOf(t), `shop.${language}`);
    assert.ok(code.includes(SHOWN));
    writeFileSync(file, code.replace(SHOWN, relay.url));
    const { code: exitCode, out, err } = await finished(followed(spawn(program, [file], { env: cleanEnv({}) })));
    assert.deepEqual([exitCode, out, err], [0, 'created 1\n', '']);
    const { orders } = (await ask(relay, '/orders')).json;
    assert.deepEqual(
      orders.map(({ state }) => state),
      ['created'],
    );
    assert.match(orders[0].orderId, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test(`the program in ${language} fails if the relay is gone`, {
    skip: !isThere && `${program} is missing`,
  }, async (t) => {
    const file = join(folderOf(t), `shop.${language}`);
    writeFileSync(file, code.replace(SHOWN, 'http://127.0.0.1:2'));
    const { code: exitCode, out } = await finished(followed(spawn(program, [file], { env: cleanEnv({}) })));
    assert.notEqual(exitCode, 0);
    assert.doesNotMatch(out, /created/);
  });
}
