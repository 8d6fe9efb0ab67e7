/** Tests what the outbox makes of each response of the table, on SQLite. */
import { newStore, setUp } from '../outbox/set-up.mjs';
import { testResponses } from './outbox.mjs';

testResponses('SQLite', (t, setting) => setUp(t, { store: newStore(), ...setting }));
