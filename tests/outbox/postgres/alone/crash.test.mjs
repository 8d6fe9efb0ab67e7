/**
 * Tests the same kills on PostgreSQL, and three workers, one killed and one frozen. `ROUNDS=100` sets the rounds at
 * each point.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDelivered, killRounds, startFailingService, startWorker } from '../../crash.mjs';
import { clientOf, createOutbox, numbered, until } from '../../harness.mjs';
import { PLACES } from '../../places.mjs';
import { URL_OF_TESTS, postgresStore } from '../../postgres.mjs';
import { schemaOfFile } from '../afterwards.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const ORDERS = Number(process.env.ORDERS ?? 1200);
/** Late enough that all places are in use. */
const FREEZE_AFTER = 30;

const newPlace = () => ({ connectionString: URL_OF_TESTS, schema: schemaOfFile() });

describe(`processes killed on PostgreSQL, ${ROUNDS} times at each point`, { concurrency: 4 }, () => {
  test(`with three workers, one killed repeatedly and one frozen, the service has each of ${ORDERS} orders once`, async (t) => {
    const postgres = newPlace();
    const server = await startFailingService();
    t.after(() => server.close());
    const store = postgresStore(postgres);
    const outbox = createOutbox({ client: clientOf(server.baseUrl), store });
    t.after(() => outbox.stop({ timeoutMs: 0 }));
    for (let n = 0; n < ORDERS; n += 100) {
      const batch = Array.from({ length: 100 }, (_, index) => numbered(n + index, { EntityId: 1 + ((n + index) % 3) }));
      await Promise.all(batch.map((order) => outbox.add(order)));
    }
    const workers = [];
    const start = (options = {}) => {
      const worker = startWorker({ store: { postgres }, baseUrl: server.baseUrl, ...options });
      workers.push(worker);
      t.after(() => worker.child.kill('SIGKILL'));
      return worker;
    };
    const frozen = start({ freezeAfter: FREEZE_AFTER });
    let victim = start();
    await until(() => frozen.said.frozen.length > 0, 'a worker frozen');
    await until(() => victim.said.settled.size > 0, 'a result of the worker that will be killed');
    const steady = start();
    const { said } = frozen;
    const progress = async (id) => {
      const { state, attempts } = await store.get(id);
      return `${state} ${attempts}`;
    };
    const atFreezing = await Promise.all(said.frozen.map(progress));
    let isAwake = false;
    let kills = 0;
    await until(
      async () => {
        await sleep(1000);
        const { waiting } = await outbox.counts();
        // It is not killed before it has done something.
        if (waiting === 0 || victim.said.settled.size > 0) {
          victim.child.kill('SIGKILL');
          kills++;
          victim = start();
        }
        const now = await Promise.all(said.frozen.map(progress));
        // Once other workers have taken its orders.
        isAwake ||= now.every((each, index) => each !== atFreezing[index]);
        if (isAwake) frozen.child.kill('SIGCONT');
        return isAwake && steady.said.isIdle;
      },
      'all orders delivered, and those of the frozen worker taken by others',
      600_000,
    );
    assert.ok(said.frozen.length > 1, 'attempts were in flight');
    await until(() => said.frozen.every((id) => said.rejected.has(id)), 'its late results were rejected');
    await until(
      () => workers.filter(({ child }) => child.exitCode === null && !child.killed).length >= 2,
      'two workers alive',
    );
    await until(async () => {
      const { created } = await outbox.counts();
      return created === ORDERS;
    }, 'all created');
    // If a worker died in its handler, another worker calls the handler again after `handlerTimeoutMs`.
    await until(
      async () => (await store.list({ noticeUntil: Number.MAX_SAFE_INTEGER, after: 0, limit: 1 })).length === 0,
      'all handed over',
      120_000,
    );
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    const settled = new Map(workers.flatMap(({ said }) => [...said.settled]));
    const added = Array.from({ length: ORDERS }, (_, n) => numbered(n).Id);
    await outbox.stop();
    await assertDelivered({ added, settled }, server, () => postgresStore(postgres));
    const shares = workers.map(({ said }) => said.settled.size);
    t.diagnostic(`${kills} kills; settled by each worker: ${shares.join()}; rejected: ${said.rejected.size}`);
    assert.ok(shares.filter((share) => share > 0).length >= 3);
  });

  for (const place of Object.values(PLACES)) {
    test(`at ${place}: the service has every accepted order once`, async (t) => {
      const postgres = newPlace();
      const server = await startFailingService();
      t.after(() => server.close());
      const said = await killRounds({ store: { postgres }, place, rounds: ROUNDS, server });
      await assertDelivered(said, server, () => postgresStore(postgres));
    });
  }
});
