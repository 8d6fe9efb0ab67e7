/** The programs of docs/guides/relay.md, in their languages, with the same orders, against a relay. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, target } from '../../../../scripts/places.mjs';
import { output } from '../../../../scripts/run.mjs';
import { cleanEnv, finished, folderOf, followed, serviceOf } from '../../program.mjs';
import { listed, relayed } from '../relays.mjs';
import { compiled, runtime } from './dotnet/csharp.mjs';

const FOLDER = join(root, 'examples/relay');
const ORDERS = join(FOLDER, 'orders.json');
const [tea, teapot, cup, kettle] = JSON.parse(readFileSync(ORDERS, 'utf8'));

/** The output of each program. */
const PRINTED = `${tea.Id}
  total 51.63
  created 1
${teapot.Id}
  notice /Discount/InvoiceLevel/0/ValueType: ValueType has no known meaning, so the discount is unknown
  total unknown
  created 2
${cup.Id}
  error /Items/0/Quantity: Quantity must be greater than 0
  not sent
${kettle.Id}
  total 61.95
  refused The kettle is sold out – from Monday again
`;

/** The command that runs each program, with files in a folder if it must be compiled, and why it can't run here. */
const LANGUAGES = {
  Python: script('shop.py', 'python3', '-c', ''),
  PHP: script('shop.php', 'php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
  Ruby: script('shop.rb', 'ruby', '-e', ''),
  'C#': { missing: runtime.missing, command: (folder) => compiled(folder, join(FOLDER, 'Shop.cs')) },
  Go: {
    missing: output('go', ['version']) === undefined ? 'go is missing' : undefined,
    command: (folder) => {
      const program = join(folder, 'shop');
      const env = { ...process.env, GOCACHE: join(target, 'go'), GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
      assert.notEqual(output('go', ['build', '-o', program, join(FOLDER, 'shop.go')], { env }), undefined);
      return [program];
    },
  },
};

function script(file, program, ...check) {
  const missing = output(program, check) === undefined ? `${program} is missing` : undefined;
  return { missing, command: () => [program, join(FOLDER, file)] };
}

/** Creates orders, but for kettles. */
function shopkeeper(t) {
  let receipts = 0;
  return serviceOf(t, ({ body }) => {
    const order = JSON.parse(body);
    if (order.Items[0].Name === 'Kettle')
      return { status: 422, body: '{"Message":"The kettle is sold out – from Monday again"}' };
    receipts++;
    return { status: 201, body: JSON.stringify({ ...order, ReceiptNumber: `${receipts}` }) };
  });
}

for (const [language, { missing, command }] of Object.entries(LANGUAGES)) {
  const runWith = async (t, url) => {
    const [program = '', ...args] = command(folderOf(t));
    const env = cleanEnv({ DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1', LANG: 'C.UTF-8' });
    return finished(followed(spawn(program, [...args, url, ORDERS], { env })));
  };

  test(`the program in ${language} prints what the others print, and again if it is run again`, {
    skip: missing,
  }, async (t) => {
    const service = await shopkeeper(t);
    const relay = await relayed(t, service);
    for (let run = 0; run < 2; run++) {
      const { code, out, err } = await runWith(t, relay.url);
      assert.deepEqual([code, out, err], [0, PRINTED, ''], `run ${run}`);
    }
    const states = (await listed(relay)).map(({ orderId, state }) => [orderId, state]);
    assert.deepEqual(states, [
      [kettle.Id, 'refused'],
      [teapot.Id, 'created'],
      [tea.Id, 'created'],
    ]);
    assert.equal(service.paths.length, 3);
  });

  test(`the program in ${language} fails if the relay is gone`, { skip: missing }, async (t) => {
    const { code, out } = await runWith(t, 'http://127.0.0.1:2');
    assert.notEqual(code, 0);
    assert.doesNotMatch(out, /created/);
  });
}
