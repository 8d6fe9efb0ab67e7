/**
 * A process is killed by SIGKILL at each place between an order and its settlement, while the service fails three attempts
 * in ten. `ROUNDS=100`: rounds at each place.
 */
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertDelivered, killRounds, startFailingService } from './crash.mjs';
import { folderOf, sqliteStore } from './harness.mjs';
import { PLACES } from './places.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 2);

describe(`a process killed ${ROUNDS} times at each place, on SQLite`, { concurrency: 2 }, () => {
  for (const place of Object.values(PLACES)) {
    test(`at ${place}: every order that was accepted is at the service once`, async (t) => {
      const file = join(folderOf(t), 'orders.sqlite');
      const server = await startFailingService();
      t.after(() => server.close());
      const said = await killRounds({ store: { file }, place, rounds: ROUNDS, server });
      await assertDelivered(said, server, () => sqliteStore(file));
    });
  }
});
