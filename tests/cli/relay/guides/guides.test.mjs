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
import { compiled, runtime } from './dotnet/csharp.mjs';

const SHOWN = 'http://127.0.0.1:4020';
const page = readFileSync(join(root, 'docs/guides/relay.md'), 'utf8');
const programs = fencesOf(page).filter(({ language }) => !['sh', 'ini'].includes(language));

/** The program that runs a file of each language, and why it can't run here. */
const LANGUAGES = {
  python: script('python3', '-c', ''),
  php: script('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
  csharp: { missing: runtime.missing, command: compiled },
  ruby: script('ruby', '-e', ''),
};

function script(program, ...check) {
  const command = (folder, code) => {
    writeFileSync(join(folder, 'shop'), code);
    return [program, join(folder, 'shop')];
  };
  return { missing: output(program, check) === undefined ? `${program} is missing` : undefined, command };
}

test('the guide has a program of each language', () => {
  assert.deepEqual(
    programs.map(({ language }) => language),
    Object.keys(LANGUAGES),
  );
});

for (const { language, code } of programs) {
  const { missing, command } = LANGUAGES[language];
  const runWith = (t, relay) => {
    const [program = '', ...args] = command(folderOf(t), code.replace(SHOWN, relay));
    return finished(followed(spawn(program, args, { env: cleanEnv({ DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' }) })));
  };

  test(`the program in ${language} creates its order`, { skip: missing }, async (t) => {
    const service = await served(['--fault', 'drop-after=0.2']);
    t.after(() => service.child.kill('SIGKILL'));
    const relay = await relayed(t, service);
    assert.ok(code.includes(SHOWN));
    const { code: exitCode, out, err } = await runWith(t, relay.url);
    assert.deepEqual([exitCode, out, err], [0, 'created 1\n', '']);
    const { orders } = (await ask(relay, '/orders')).json;
    assert.deepEqual(
      orders.map(({ state }) => state),
      ['created'],
    );
    assert.match(orders[0].orderId, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test(`the program in ${language} fails if the relay is gone`, { skip: missing }, async (t) => {
    const { code: exitCode, out } = await runWith(t, 'http://127.0.0.1:2');
    assert.notEqual(exitCode, 0);
    assert.doesNotMatch(out, /created/);
  });
}
