/** The page of time limits: each default is the one in the source. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';

const HOUR_MS = 3_600_000;
const UNITS = { ms: 1, s: 1000, h: HOUR_MS };
/** Where the limit of each row is, by the first words of the row. */
const SOURCES = {
  'a request of the client': ['www/client/settings.ts', 'timeoutMs'],
  'all attempts': ['www/client/settings.ts', 'totalTimeoutMs'],
  'the token function': ['www/client/settings.ts', 'tokenTimeoutMs'],
  'a call of the store': ['outbox/settings.ts', 'storeTimeoutMs'],
  'a locked SQLite file': ['outbox/sqlite/open.ts', 'busyTimeoutMs'],
  'a statement or a transaction': ['outbox/postgres/options.ts', 'QUERY_TIMEOUT_MS'],
  "a connection of the relay's pool": ['cli/relay/store.ts', 'LIMIT_MS'],
  'the handler': ['outbox/settings.ts', 'handlerTimeoutMs'],
  'an order without a final response': ['outbox/settings.ts', 'deadlineMs'],
  settled: ['outbox/outbox.ts', 'timeoutMs'],
  'stop of the outbox': ['outbox/outbox.ts', 'STOP_MS'],
  'the last writes': ['outbox/store-limit.ts', 'LAST_WRITES_MS'],
  "a probe of the relay's": ['cli/http/readiness.ts', 'TIME_MS'],
  'the requests in progress when the relay stops': ['cli/commands/relay.ts', 'GRACE_MS'],
  'a connection of the relay': ['cli/commands/relay.ts', 'SILENCE_MS'],
  '--token-command': ['cli/sending/service.ts', 'COMMAND_MS'],
};

test('every time limit of the page is the one in the source', () => {
  const page = readFileSync(join(root, 'docs/reference/time-limits.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (?!What waits)([^|]+) \| ([^|]*) ?\| ([^|]+) \|/gm)];
  assert.equal(rows.length, Object.keys(SOURCES).length);
  for (const [, what = '', , limit = ''] of rows) {
    const plain = what.replaceAll('`', '');
    const [, source] = Object.entries(SOURCES).find(([words]) => plain.startsWith(words)) ?? [];
    assert.ok(source, what);
    const [file = '', name = ''] = source;
    const code = readFileSync(join(root, file), 'utf8').replaceAll('HOUR_MS', String(HOUR_MS));
    const [, number, factor = '1'] = new RegExp(`\\b${name}(?: =|:) ([\\d_]+)(?: \\* (\\d+))?`).exec(code) ?? [];
    const [, amount, unit = ''] = /^(\d+) (\w+)$/.exec(limit) ?? [];
    const onPage = limit === 'none' ? undefined : Number(amount) * UNITS[unit];
    const inSource = number && Number(number.replaceAll('_', '')) * Number(factor);
    assert.equal(onPage, inSource, what);
  }
});
