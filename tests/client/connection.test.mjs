/** Tests connections that fail, with real servers: what is certain about the order, and what people read (D31). */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { projects } from '../node/installed.mjs';
import { checkConnections } from './connection-cases.mjs';

test('a connection that fails before the request is sent is not-created, one that fails later unknown; both say why', async () => {
  const program = readFileSync(new URL('../everywhere/programs/connections.mjs', import.meta.url), 'utf8');
  await checkConnections([process.execPath, '--input-type=module', '--eval', program], projects().esmProject);
});
