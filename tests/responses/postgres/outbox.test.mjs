/** Tests what the outbox makes of each response of the table, on PostgreSQL. */
import { emptyStore } from '../../outbox/postgres/afterwards.mjs';
import { setUp } from '../../outbox/set-up.mjs';
import { testResponses } from '../outbox.mjs';

testResponses('PostgreSQL', (t, setting) => setUp(t, { store: emptyStore(), isInRealTime: true, ...setting }));
