/**
 * Kills a process with SIGKILL at each point between an order and its settlement, while the service fails three attempts
 * in ten. `ROUNDS=100` sets the number of rounds at each point.
 */
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertDelivered, killRounds, startFailingService } from '../crash.mjs';
import { folderOf, sqliteStore } from '../harness.mjs';
import { PLACES } from '../places.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 2);

describe(`a process killed ${ROUNDS} times at each point, on SQLite`, { concurrency: 3 }, () => {
  for (const place of Object.values(PLACES)) {
    test(`at ${place}: the service has every accepted order once`, async (t) => {
      const file = join(folderOf(t), 'orders.sqlite');
      const server = await startFailingService();
      t.after(() => server.close());
      const said = await killRounds({ store: { file }, place, rounds: ROUNDS, server });
      await assertDelivered(said, server, () => sqliteStore(file));
    });
  }
});
