/** Limits, defaults and figures that the documentation quotes are those in the source, and of the last `make bench`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/places.mjs';

const HOUR_MS = 3_600_000;
const UNITS = { ms: 1, s: 1000, min: 60_000, h: HOUR_MS, days: 24 * HOUR_MS, MiB: 1 << 20 };
/** Where the limit of each row of the page of time limits is, by the first words of the row. */
const WAITS = {
  'a request of the client': ['www/client/settings.ts', 'timeoutMs'],
  'all attempts': ['www/client/settings.ts', 'totalTimeoutMs'],
  'the token function': ['www/client/settings.ts', 'tokenTimeoutMs'],
  'a locked SQLite file': ['outbox/sqlite/open.ts', 'busyTimeoutMs'],
  'a statement or a transaction': ['outbox/postgres/options.ts', 'QUERY_TIMEOUT_MS'],
  "a connection of the relay's pool": ['cli/relay/store.ts', 'LIMIT_MS'],
  'the handler': ['outbox/checked-options.ts', 'handlerTimeoutMs'],
  'an order without a final response': ['outbox/checked-options.ts', 'deadlineMs'],
  settled: ['outbox/outbox.ts', 'timeoutMs'],
  'stop of the outbox': ['outbox/outbox.ts', 'STOP_MS'],
  'the last writes': ['outbox/stop.ts', 'LAST_WRITES_MS'],
  "a probe of the relay's": ['cli/http/http-response.ts', 'TIME_MS'],
  'the requests in progress when the relay stops': ['cli/commands/relay.ts', 'GRACE_MS'],
  'a connection of the relay': ['cli/commands/relay.ts', 'SILENCE_MS'],
  '--token-command': ['cli/arguments/base-url-and-token.ts', 'COMMAND_MS'],
};

/**
 * Where prose quotes a constant: its file, its name, and its unit in the prose, if that is another one; below it what pages say,
 * with `#` for the number.
 */
const QUOTED = `
  src/parse.rs MAX_BYTES
    src/code.rs: larger than # bytes
    docs/reference/decisions.md: # bytes of JSON
  src/parse.rs MAX_BYTES MiB
    docs/reference/cli.md: One order may have # MiB
  src/parse.rs MAX_ENTRIES
    src/code.rs: An array has more than # entries
    docs/reference/decisions.md: # entries in an array
  src/parse.rs MAX_OTHER_MEMBERS
    src/code.rs: more than # unknown members
    docs/reference/decisions.md: # unknown members in an object
  src/json/unrepresentable.rs MAX_DEPTH
    src/code.rs: more than # levels deep
    docs/reference/decisions.md: # levels in a value
  src/issue/collector.rs MAX_ISSUES
    src/code.rs: more than # issues
    docs/reference/decisions.md: # listed issues
  src/order/members.rs Name
    src/code.rs: # characters in names
    docs/reference/decisions.md: # characters in names
  src/order/members.rs Notes
    src/code.rs: # in \`Notes\`
    docs/reference/decisions.md: # in \`Notes\`
  src/order/members.rs TimeSlotDisplayString
    src/code.rs: # in \`TimeSlotDisplayString\`
    docs/reference/decisions.md: # in \`TimeSlotDisplayString\`
  www/client/settings.ts timeoutMs s
    docs/concepts/ids-and-retries.md: # seconds for each attempt (\`timeoutMs\`)
  www/client/settings.ts timeoutMs
    pkg-template/README.md: | \`timeoutMs\` | # |
  www/client/settings.ts totalTimeoutMs s
    docs/concepts/ids-and-retries.md: and # seconds for the order
    docs/concepts/lost-response.md: # seconds have passed
    docs/guides/node-backend.md: The client tries for up to # seconds
  www/client/settings.ts totalTimeoutMs
    pkg-template/README.md: | \`totalTimeoutMs\` | # |
  www/client/settings.ts totalTimeoutMs min
    README.md: retries for up to # minutes
  www/client/settings.ts maxRetries
    docs/concepts/ids-and-retries.md: there are # retries (\`maxRetries\`)
    docs/concepts/lost-response.md: | # times, with the same bytes |
    pkg-template/README.md: | \`maxRetries\` | # |
  pkg-template/src/options/check.ts baseMs s
    docs/concepts/ids-and-retries.md: starts at # second and doubles
  pkg-template/src/options/check.ts capMs s
    docs/concepts/ids-and-retries.md: doubles up to # seconds
  www/client/settings.ts concurrency
    docs/guides/batch-export.md: \`concurrency\` (# by default)
    pkg-template/README.md: \`concurrency\` (# by default)
  www/client/order-fates.ts MOST_REMEMBERED
    docs/concepts/order-fates.md: the last # orders that ended
  www/client/response.ts LONGEST_ERROR_BODY
    www/client/errors.ts: at most # characters
  outbox/checked-options.ts deadlineMs h
    docs/concepts/lost-response.md: or # hours have passed
    docs/concepts/order-fates.md: after # hours it is \`stalled\`
    docs/guides/batch-export.md: for up to # hours
    docs/reference/cli.md: up to # hours
    docs/reference/decisions.md: a final response or # hours
    docs/guides/outbox.md: for # hours (\`deadlineMs\`)
  outbox/checked-options.ts keepCreatedMs days
    docs/guides/outbox.md: | \`keepCreatedMs\` | # days |
  outbox/repeated-responses.ts MOST_ORDERS
    docs/guides/outbox.md: the last # suspect orders
  cli/http/http-response.ts MAX_BODY_BYTES MiB
    docs/guides/relay.md: # MiB a body
    docs/reference/cli.md: 1048576 (# MiB)
  cli/relay/memory.ts MOST_BYTES MiB
    docs/guides/relay.md: may have # MiB together
  service/rules/src/relay_routes.rs MAX_RATES
    docs/guides/relay.md: may have # rates
    cli/relay/openapi.json: more than # rates
  service/rules/src/relay_routes.rs MAX_PRODUCTS
    docs/guides/relay.md: # items times rates
    cli/relay/openapi.json: # products of items and rates
`;

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

for (const [, file, name, unit = 'ms', quotes = ''] of QUOTED.matchAll(
  /^ {2}(\S+) (\w+)(?: (\w+))?\n((?: {4}.*\n)+)/gm,
)) {
  const number = (Number(constant(file, name)) / Number(UNITS[unit])).toLocaleString('en');
  test(`prose has ${name} of ${file}: ${number}`, () => {
    for (const [, page, text = ''] of quotes.matchAll(/^ {4}(\S+): (.*)$/gm))
      assert.ok(proseOf(page).includes(text.replace('#', number)), `${page}: ${text}`);
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
