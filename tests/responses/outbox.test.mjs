/** Tests what the outbox makes of each response of the table, on the stores that need no database server. */
import { STORES, setUp } from '../outbox/set-up.mjs';
import { testResponses } from './outbox.mjs';

for (const [name, newStore] of Object.entries(STORES)) {
  testResponses(name, (t, setting) => setUp(t, { store: newStore(), ...setting }));
}
