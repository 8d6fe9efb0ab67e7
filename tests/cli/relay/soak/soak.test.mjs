/**
 * A shop in PHP and one in Python send their orders through a relay, while SIGKILL ends the shops and the relay at random
 * moments, and the service is down for a while again and again. `ORDERS=1000` is the number of orders of each shop; `SEED`
 * repeats the random numbers of a run.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../../scripts/ports.mjs';
import { root } from '../../../../scripts/places.mjs';
import { output } from '../../../../scripts/run.mjs';
import { pickOf, randomOf } from '../../../node/random-orders.mjs';
import { TOKEN, cleanEnv, folderOf, followed, jsonLines, start, until } from '../../program.mjs';
import { ask, listed } from '../relays.mjs';

const ORDERS = Number(process.env.ORDERS ?? 60);
/** The number of orders of a shop for each kill. */
const ORDERS_A_KILL = 8;
const SHOPS = join(root, 'tests/cli/relay/soak/shops');
const LANGUAGES = [
  { name: 'PHP', program: 'php', file: 'shop.php', check: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'] },
  { name: 'Python', program: 'python3', file: 'shop.py', check: ['-c', ''] },
];
const missing = LANGUAGES.filter(({ program, check }) => output(program, check) === undefined);
const skip = missing.length > 0 && `${missing.map(({ name }) => name).join(' and ')} is missing`;

test(`each of ${ORDERS} orders of a shop in PHP and of one in Python is once at the relay and at the service`, {
  skip,
  timeout: 1_800_000,
}, async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const random = randomOf(seed);
  const folder = folderOf(t);
  const startedAt = performance.now();
  const [relayPort, servicePort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${relayPort}`;
  const kept = join(folder, 'service.ndjson');
  const faults = ['drop-after=0.05', '503=0.05'].flatMap((fault) => ['--fault', fault]);
  const relayFlags = ['--listen', `${relayPort}`, '--outbox', join(folder, 'relay.sqlite'), '--quiet'];
  const programs = {
    service: () => start(['serve', '--port', `${servicePort}`, '--token', TOKEN, '--keep', kept, '--quiet', ...faults]),
    relay: () =>
      start(['relay', '--base-url', `http://127.0.0.1:${servicePort}`, ...relayFlags], {
        env: { SALES_ORDER_INTAKE_TOKEN: TOKEN },
      }),
    ...Object.fromEntries(
      LANGUAGES.map(({ name, program, file }) => [
        name,
        () =>
          followed(spawn(program, [join(SHOPS, file), url, join(folder, name), `${ORDERS}`], { env: cleanEnv({}) })),
      ]),
    ),
  };
  const running = Object.fromEntries(Object.entries(programs).map(([name, begin]) => [name, begin()]));
  t.after(() => {
    for (const child of Object.values(running)) child.kill('SIGKILL');
  });
  const kills = Object.fromEntries(Object.keys(programs).map((name) => [name, 0]));
  const isDone = ({ name }) => running[name].exitCode === 0;
  const victims = ['relay', 'relay', 'relay', 'PHP', 'PHP', 'Python', 'Python', 'service'];
  for (let n = 0; !LANGUAGES.every(isDone); n++) {
    for (const { name } of LANGUAGES) {
      const { exitCode, shown } = running[name];
      assert.ok(exitCode === null || exitCode === 0, `${name} ended with ${exitCode}: ${shown.err}`);
    }
    // The first kills are one of each.
    const name = n < 4 ? Object.keys(programs)[n] : pickOf(random)(victims);
    await setTimeout(100 + random() * 2 * ORDERS_A_KILL * 25);
    const child = running[name];
    if (child.exitCode !== null) continue;
    child.kill('SIGKILL');
    await child.ended;
    kills[name]++;
    await setTimeout(random() * (name === 'service' ? 1500 : 200));
    running[name] = programs[name]();
  }
  const acceptedAt = performance.now();
  const open = async () => (await ask({ url }, '/orders?state=waiting,sending')).json?.orders.length;
  await until(async () => (await open().catch(() => null)) === 0, 'the deliveries', 600_000);
  const secondsSince = (from) => `${((performance.now() - from) / 1000).toFixed(0)} s`;

  const shops = LANGUAGES.map(({ name }) => jsonLines(readFileSync(join(folder, name), 'utf8')));
  const made = shops.flat().flatMap(({ order }) => (order ? [order] : []));
  assert.equal(made.length, 2 * ORDERS);
  const orders = await listed({ url });
  assert.deepEqual(orders.map(({ orderId }) => orderId).sort(), made.map(({ Id }) => Id).sort());
  assert.deepEqual([...new Set(orders.map(({ state }) => state))], ['created']);
  const stored = jsonLines(readFileSync(kept, 'utf8')).slice(1);
  const bodies = new Map(stored.map(({ body }) => JSON.parse(body)).map((order) => [order.Id, order]));
  assert.deepEqual([stored.length, bodies.size], [made.length, made.length]);
  for (const order of made) {
    const { EntityId, Notes, Items } = bodies.get(order.Id);
    const [{ Name, Quantity, SellAtPricePerUnit }] = Items;
    const [item] = order.Items;
    assert.deepEqual([EntityId, Notes, Name], [order.EntityId, order.Notes, item.Name]);
    assert.deepEqual([Number(Quantity), Number(SellAtPricePerUnit)], [item.Quantity, Number(item.SellAtPricePerUnit)]);
  }
  const repeated = shops.flat().filter(({ status }) => status === 200).length;
  const attempts = orders.reduce((sum, order) => sum + order.attempts, 0);
  t.diagnostic(
    `SEED=${seed} kills ${JSON.stringify(kills)}, ${repeated} orders were put again, ${attempts} attempts; ` +
      `${secondsSince(startedAt)}, of which ${secondsSince(acceptedAt)} for what was left to deliver`,
  );
});
