/** Cases for stores that several processes use: what one that delivers holds back can be read by one that does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, creates } from '../client/fault-server.mjs';
import { clientOf, createOutboxOn, numbered } from './harness.mjs';

/**
 * @param {string} name
 * @param {Function} setUp As in ./set-up.mjs.
 * @param {(t: import('node:test').TestContext) => { store: any, reader: any, reopen: () => any }} open Opens a store of a process that
 *   delivers, and one of a process that does not. `reopen` opens the first one again, after it was closed.
 */
export function testPauses(name, setUp, open) {
  const started = async (t) => {
    const { store, reader, reopen } = await open(t);
    const parts = await setUp(t, { store });
    const { server, platform } = parts;
    const office = createOutboxOn(platform, { client: clientOf(server.baseUrl), store: reader });
    t.after(() => office.stop({ timeoutMs: 0 }));
    return { ...parts, office, reopen };
  };

  test(`${name}: a process that does not deliver reads why the other one pauses, until it goes on`, async (t) => {
    const { outbox, office, server, until } = await started(t);
    server.playAlways(answer(401));
    await outbox.add(numbered(0));
    outbox.start();
    const { pause } = await until(async () => {
      const counts = await office.counts();
      return counts.isPaused && counts;
    }, 'the pause is stored');
    const own = await outbox.counts();
    assert.deepEqual([pause.cause, pause.reason, pause.status], ['token', 'AuthenticationError', 401]);
    assert.deepEqual(pause.since, own.pause.since);
    const [location] = (await office.counts()).locations;
    assert.deepEqual([location.isPaused, location.pause], [true, pause]);
    server.playAlways(creates);
    await until(async () => !(await office.counts()).isPaused, 'the end of the pause is stored');
  });

  test(`${name}: a process that stops holds back nothing, and one that has died nothing after a while`, async (t) => {
    const { outbox, office, server, until, store, now, reopen } = await started(t);
    server.playAlways(answer(401));
    await outbox.add(numbered(0));
    outbox.start();
    await until(async () => (await office.counts()).isPaused, 'the pause is stored');
    const [pauses] = await store.getPauses(0);
    await outbox.stop({ timeoutMs: 0 });
    assert.equal((await office.counts()).isPaused, false);
    const again = await reopen();
    t.after(() => again.close());
    for (const { ageMs, isPaused } of [
      { ageMs: 60_000, isPaused: true },
      { ageMs: 100_000, isPaused: false },
    ]) {
      await again.setPauses(pauses, now() - ageMs);
      assert.equal((await office.counts()).isPaused, isPaused);
    }
  });
}
