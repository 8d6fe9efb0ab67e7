/** Tests the options of the store on PostgreSQL, without a database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedFile } from '../node/installed.mjs';

const { postgresStore } = await import(installedFile('dist/esm/outbox/postgres/index.js'));
const pool = { connect() {}, query() {} };

test('wrong options of postgresStore are errors that name the option and say what to do', () => {
  for (const [options, option, advice = /must/] of [
    [undefined, ''],
    [{ schema: 'a; drop' }, '/schema'],
    [{ max: 1 }, '/max'],
    [{ connectionString: 7 }, '/connectionString'],
    [{}, '', /exactly one of connectionString, config, pool/],
    [{ connectionString: 'postgres://x', config: {} }, ''],
    [{ connectionString: 'postgres://x', pool }, ''],
    [{ connectionString: 'postgres://x', ssl: true }, '/ssl', /options of pg.Pool go into config/],
    [{ connectionstring: 'postgres://x' }, '/connectionstring', /did you mean connectionString\?/],
    [{ config: 'postgres://x' }, '/config'],
    [{ config: { max: 1 } }, '/config/max'],
    [{ pool: {} }, '/pool'],
    [{ pool, queryTimeoutMs: 0 }, '/queryTimeoutMs'],
    [{ pool, queryTimeoutMs: Number.POSITIVE_INFINITY }, '/queryTimeoutMs'],
    [{ pool, max: 4 }, '/max'],
  ]) {
    assert.throws(() => postgresStore(options), { name: 'OptionError', option, message: advice });
  }
});
