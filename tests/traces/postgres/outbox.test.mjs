/** Tests the spans of the outbox on PostgreSQL. */
import { URL_OF_TESTS, postgresStore } from '../../outbox/postgres.mjs';
import { schemaOfFile } from '../../outbox/postgres/afterwards.mjs';
import { setUp } from '../../outbox/set-up.mjs';
import { testTraces } from '../outbox.mjs';

const setUpInRealTime = (t, setting) => setUp(t, { isInRealTime: true, ...setting });

testTraces('PostgreSQL', setUpInRealTime, () => {
  const schema = schemaOfFile();
  return () => postgresStore({ connectionString: URL_OF_TESTS, schema });
});
