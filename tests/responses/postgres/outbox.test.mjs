/** Tests what the outbox makes of a reply of each row of the table, on PostgreSQL. */
import { emptyStore } from '../../outbox/postgres/afterwards.mjs';
import { setUp } from '../../outbox/set-up.mjs';
import { FIRSTS, isSlow } from '../kinds.mjs';
import { testResponses } from '../outbox.mjs';

/** Time passes as it is. */
const kinds = FIRSTS.filter((kind) => !isSlow(kind));

testResponses('PostgreSQL', (t, setting) => setUp(t, { store: emptyStore(), isInRealTime: true, ...setting }), kinds);
