/** Limits, defaults and figures that the documentation quotes are those in the source, and of the last `make bench`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';

const HOUR_MS = 3_600_000;
const UNITS = { ms: 1, s: 1000, h: HOUR_MS };
/** Where the limit of each row of the page of time limits is, by the first words of the row. */
const WAITS = {
  'a request of the client': ['www/client/settings.ts', 'timeoutMs'],
  'all attempts': ['www/client/settings.ts', 'totalTimeoutMs'],
  'the token function': ['www/client/settings.ts', 'tokenTimeoutMs'],
  'a locked SQLite file': ['outbox/sqlite/open.ts', 'busyTimeoutMs'],
  'a statement or a transaction': ['outbox/postgres/options.ts', 'QUERY_TIMEOUT_MS'],
  "a connection of the relay's pool": ['cli/relay/store.ts', 'LIMIT_MS'],
  'the handler': ['outbox/settings.ts', 'handlerTimeoutMs'],
  'an order without a final response': ['outbox/settings.ts', 'deadlineMs'],
  settled: ['outbox/outbox.ts', 'timeoutMs'],
  'stop of the outbox': ['outbox/outbox.ts', 'STOP_MS'],
  'the last writes': ['outbox/stop.ts', 'LAST_WRITES_MS'],
  "a probe of the relay's": ['cli/http/http-response.ts', 'TIME_MS'],
  'the requests in progress when the relay stops': ['cli/commands/relay.ts', 'GRACE_MS'],
  'a connection of the relay': ['cli/commands/relay.ts', 'SILENCE_MS'],
  '--token-command': ['cli/arguments/base-url-and-token.ts', 'COMMAND_MS'],
};

/**
 * Where prose quotes a constant: its file and name, its unit in the prose, and what each page says, with `#` for the number.
 *
 * @type {any[][]}
 */
const QUOTED = [
  [
    'src/parse.rs',
    'MAX_BYTES',
    1,
    { 'src/code.rs': ['larger than # bytes'], 'docs/reference/decisions.md': ['# bytes of JSON'] },
  ],
  ['src/parse.rs', 'MAX_BYTES', 1 << 20, { 'docs/reference/cli.md': ['One order may have # MiB'] }],
  [
    'src/parse.rs',
    'MAX_ENTRIES',
    1,
    { 'src/code.rs': ['An array has more than # entries'], 'docs/reference/decisions.md': ['# entries in an array'] },
  ],
  [
    'src/parse.rs',
    'MAX_OTHER_MEMBERS',
    1,
    {
      'src/code.rs': ['more than # unknown members'],
      'docs/reference/decisions.md': ['# unknown members in an object'],
    },
  ],
  [
    'src/json/unrepresentable.rs',
    'MAX_DEPTH',
    1,
    { 'src/code.rs': ['more than # levels deep'], 'docs/reference/decisions.md': ['# levels in a value'] },
  ],
  [
    'src/issue/collector.rs',
    'MAX_ISSUES',
    1,
    { 'src/code.rs': ['more than # issues'], 'docs/reference/decisions.md': ['# listed issues'] },
  ],
  ...Object.entries({
    Name: ['# characters in names'],
    FirstName: ['# characters in names'],
    LastName: ['# characters in names'],
    Notes: ['# in `Notes`'],
    TimeSlotDisplayString: ['# in `TimeSlotDisplayString`'],
  }).map(([member, quotes]) => [
    ...['src/order/members.rs', member, 1],
    { 'src/code.rs': quotes, 'docs/reference/decisions.md': quotes },
  ]),
  [
    'www/client/settings.ts',
    'timeoutMs',
    1000,
    { 'docs/concepts/ids-and-retries.md': ['# seconds for each attempt (`timeoutMs`)'] },
  ],
  ['www/client/settings.ts', 'timeoutMs', 1, { 'pkg-template/README.md': ['| `timeoutMs` | # |'] }],
  [
    'www/client/settings.ts',
    'totalTimeoutMs',
    1000,
    {
      'docs/concepts/ids-and-retries.md': ['and # seconds for the order'],
      'docs/concepts/lost-response.md': ['# seconds have passed'],
      'docs/guides/node-backend.md': ['The client tries for up to # seconds'],
    },
  ],
  ['www/client/settings.ts', 'totalTimeoutMs', 1, { 'pkg-template/README.md': ['| `totalTimeoutMs` | # |'] }],
  ['www/client/settings.ts', 'totalTimeoutMs', 60_000, { 'README.md': ['retries for up to # minutes'] }],
  [
    'www/client/settings.ts',
    'maxRetries',
    1,
    {
      'docs/concepts/ids-and-retries.md': ['there are # retries (`maxRetries`)'],
      'docs/concepts/lost-response.md': ['| # times, with the same bytes |'],
      'pkg-template/README.md': ['| `maxRetries` | # |'],
    },
  ],
  [
    'pkg-template/src/options/check.ts',
    'baseMs',
    1000,
    { 'docs/concepts/ids-and-retries.md': ['starts at # second and doubles'] },
  ],
  [
    'pkg-template/src/options/check.ts',
    'capMs',
    1000,
    { 'docs/concepts/ids-and-retries.md': ['doubles up to # seconds'] },
  ],
  [
    'www/client/settings.ts',
    'concurrency',
    1,
    {
      'docs/guides/batch-export.md': ['`concurrency` (# by default)'],
      'pkg-template/README.md': ['`concurrency` (# by default)'],
    },
  ],
  [
    'www/client/order-fates.ts',
    'MOST_REMEMBERED',
    1,
    { 'docs/concepts/order-fates.md': ['the last # orders that ended'] },
  ],
  ['www/client/response.ts', 'LONGEST_ERROR_BODY', 1, { 'www/client/errors.ts': ['at most # characters'] }],
  [
    'outbox/settings.ts',
    'deadlineMs',
    HOUR_MS,
    {
      'docs/concepts/lost-response.md': ['or # hours have passed'],
      'docs/concepts/order-fates.md': ['after # hours it is `stalled`'],
      'docs/guides/batch-export.md': ['for up to # hours'],
      'docs/reference/cli.md': ['up to # hours'],
      'docs/reference/decisions.md': ['a final response or # hours'],
      'docs/guides/outbox.md': ['for # hours (`deadlineMs`)'],
    },
  ],
  ['outbox/settings.ts', 'keepCreatedMs', 24 * HOUR_MS, { 'docs/guides/outbox.md': ['| `keepCreatedMs` | # days |'] }],
  ['outbox/suspects.ts', 'MOST_ORDERS', 1, { 'docs/guides/outbox.md': ['the last # suspect orders'] }],
  [
    'cli/http/http-response.ts',
    'MAX_BODY_BYTES',
    1 << 20,
    { 'docs/guides/relay.md': ['# MiB a body'], 'docs/reference/cli.md': ['1048576 (# MiB)'] },
  ],
  ['cli/relay/memory.ts', 'MOST_BYTES', 1 << 20, { 'docs/guides/relay.md': ['may have # MiB together'] }],
  [
    'service/rules/src/relay_routes.rs',
    'MAX_RATES',
    1,
    { 'docs/guides/relay.md': ['may have # rates'], 'cli/relay/openapi.json': ['more than # rates'] },
  ],
  [
    'service/rules/src/relay_routes.rs',
    'MAX_PRODUCTS',
    1,
    { 'docs/guides/relay.md': ['# items times rates'], 'cli/relay/openapi.json': ['# products of items and rates'] },
  ],
];

test('every time limit of the page is the one in the source', () => {
  const page = textOf('docs/reference/time-limits.md');
  const rows = [...page.matchAll(/^\| (?!What waits)([^|]+) \| ([^|]*) ?\| ([^|]+) \|/gm)];
  assert.equal(rows.length, Object.keys(WAITS).length);
  for (const [, what = '', , limit = ''] of rows) {
    const plain = what.replaceAll('`', '');
    const [, source] = Object.entries(WAITS).find(([words]) => plain.startsWith(words)) ?? [];
    assert.ok(source, what);
    const [, amount, unit = ''] = /^(\d+) (\w+)$/.exec(limit) ?? [];
    assert.equal(limit === 'none' ? undefined : Number(amount) * Number(UNITS[unit]), constant(...source), what);
  }
});

for (const [file, name, unit, quotes] of QUOTED) {
  const number = (Number(constant(file, name)) / unit).toLocaleString('en');
  test(`prose has ${name} of ${file}: ${number}`, () => {
    for (const [page, texts] of Object.entries(quotes)) {
      const prose = proseOf(page);
      for (const text of texts.map((each) => each.replace('#', number)))
        assert.ok(prose.includes(text), `${page}: ${text}`);
    }
  });
}

/** Returns the number that a constant, a default or the `max_chars` of a member has; undefined if it has none. */
function constant(file, name) {
  const code = textOf(file).replaceAll('HOUR_MS', String(HOUR_MS));
  const [, number, operator, operand] =
    new RegExp(`\\b${name}(?:: usize|" [^;]*max_chars)?(?: =|:|\\() ?([\\d_]+)(?: (\\*|<<) ([\\d_]+))?`).exec(code) ??
    [];
  if (number === undefined) return undefined;
  const [left, right] = [number, operand ?? '1'].map((digits) => Number(digits.replaceAll('_', '')));
  return operator === '<<' ? left * 2 ** right : left * right;
}

/** Returns a page as one line: a line break with the mark of a comment is a space. */
function proseOf(file) {
  return textOf(file).replace(/\s*\n(\s*(\/\/\/|\*))?\s*/g, ' ');
}

function textOf(file) {
  return readFileSync(join(root, file), 'utf8');
}
