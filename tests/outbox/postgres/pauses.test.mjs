/** Tests that a process on PostgreSQL reads what the processes hold back that deliver. */
import { URL_OF_TESTS, postgresStore } from '../postgres.mjs';
import { testPauses } from '../pauses.mjs';
import { setUp } from '../set-up.mjs';
import { schemaOfFile } from './afterwards.mjs';

const inRealTime = (t, setting) => setUp(t, { isInRealTime: true, ...setting });
testPauses('PostgreSQL', inRealTime, () => {
  const options = { connectionString: URL_OF_TESTS, schema: schemaOfFile() };
  const reopen = () => postgresStore(options);
  return { store: reopen(), reader: reopen(), reopen };
});
