/** Tests the same kills on PostgreSQL. `ROUNDS=100` sets the rounds at each point. */
import { describe, test } from 'node:test';
import { assertDelivered, killRounds, startFailingService } from '../../crash.mjs';
import { PLACES } from '../../places.mjs';
import { URL_OF_TESTS, postgresStore } from '../../postgres.mjs';
import { schemaOfFile } from '../afterwards.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 2);

const newPlace = () => ({ connectionString: URL_OF_TESTS, schema: schemaOfFile() });

describe(`processes killed on PostgreSQL, ${ROUNDS} times at each point`, { concurrency: 4 }, () => {
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
