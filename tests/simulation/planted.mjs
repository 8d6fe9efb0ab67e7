/** Bugs that the simulation must find, each as a change of the source. */

/**
 * @typedef {object} Planted
 * @property {string[]} worlds where it shows
 * @property {import('./sources.mjs').Plant[]} plants
 * @property {number} seed One that finds it in few runs; another may need many.
 */

const OUTBOX = ['outbox in memory', 'outbox on SQLite'];
const ANY = [...OUTBOX, 'createOrders'];
const RESTORED = ['an outbox that is restored'];

/**
 * Returns the bug that is planted if a file has `to` where it has `from`.
 *
 * @param {string} file @param {string} from @param {string} to @param {Partial<Planted>} [options]
 * @returns {Planted}
 */
const bug = (file, from, to, { worlds = OUTBOX, seed = 1, plants = [] } = {}) => ({
  ...{ worlds, seed, plants: [{ file, from, to }, ...plants] },
});

const onPostgres = (file, from, to, seed = 1) => bug(file, from, to, { worlds: ['outbox on PostgreSQL'], seed });

/** @type {Record<string, Planted>} */
export const PLANTED = {
  'the attempt is recorded after the request': bug(
    'outbox/sqlite/schema.ts',
    "state = 'waiting', outcome = 'unknown', due_at = 0",
    "state = 'waiting', attempts = attempts - 1, due_at = 0",
    { worlds: ['outbox on SQLite'], seed: 5 },
  ),
  'a file that was put back goes on as if it were the last one': bug(
    'outbox/sqlite/schema.ts',
    "if (restoredAt !== null) database.exec(RESTORED.replaceAll('$now', String(restoredAt)));",
    '',
    { worlds: RESTORED, seed: 12 },
  ),
  'what a restored file has may be cancelled and replaced': bug(
    'outbox/sqlite/schema.ts',
    "UPDATE outbox_entry SET outcome = 'unknown' WHERE outcome = 'not-created';",
    '',
    { worlds: RESTORED },
  ),
  'the attempt of a process that died is not in the history': bug(
    'outbox/sqlite/schema.ts',
    'database.exec(RECORD_ATTEMPTS);',
    '',
    { worlds: ['outbox on SQLite'] },
  ),
  'an invalid order is sent': bug(
    'outbox/accepted-order.ts',
    "...entry, state: 'invalid'",
    "...entry, state: 'waiting'",
  ),
  'the gate never opens': bug(
    'pkg-template/src/sending/gate.ts',
    'this.#opensAt = now + (asked || bound * (0.5 + random / 2));',
    'this.#opensAt = Number.POSITIVE_INFINITY;',
  ),
  'the gate opens, and stays half closed': bug(
    'pkg-template/src/sending/gate.ts',
    'if (!this.isOpen) this.#reopen();',
    '',
  ),
  'an outage ends with a stampede': bug(
    'pkg-template/src/sending/gate.ts',
    'this.#limit = isOutage ? 1 : Math.max(1, Math.floor(this.#limitBefore / 2));',
    'this.#limit = this.#bounds.concurrency; return;',
  ),
  'created on any 2xx': bug(
    'www/client/response.ts',
    'const fate = orderFate(',
    "const fate = !location && status < 300 ? { fate: 'created', order: null, issues: [] } : orderFate(",
  ),
  'refusals of a proxy settle': bug('outbox/attempt.ts', "if (error.isSuspect) return 'suspect';", ''),
  'the first suspect refusal after a creation settles': bug(
    'outbox/repeated-responses.ts',
    'isEnough: suspect.counted >= ENOUGH &&',
    'isEnough: true ||',
  ),
  'five suspect refusals settle in any time': bug(
    'outbox/repeated-responses.ts',
    ' && now - suspect.firstAt >= this.#spanMs',
    '',
    { seed: 14 },
  ),
  'suspect refusals settle without a creation between them': bug(
    'outbox/repeated-responses.ts',
    '(suspect.counted > 0 && !isBacked)',
    'false',
  ),
  'an Id is made on retry': bug(
    'outbox/attempt.ts',
    'const created = await send(entry, client,',
    `const another = entry.attempts > 1 ? entry.orderId.replace(/..$/, 'ee') : entry.orderId;
          const again = (text: string | null) => text?.replaceAll(entry.orderId, another) ?? null;
          const { path, body, expected } = entry;
          const other = { path: again(path), body: again(body), expected: again(expected) };
          const created = await send({ ...entry, orderId: another, ...other }, client,`,
  ),
  'a body is written again': bug(
    'outbox/attempt.ts',
    'await send(entry, client,',
    "await send({ ...entry, body: JSON.stringify(JSON.parse(entry.body ?? '')) }, client,",
  ),
  'a 409 after an unknown outcome is a refusal': bug(
    'outbox/attempt.ts',
    "entry.outcome === 'unknown' ? 'unknown' : 'none'",
    "'none'",
    { seed: 4 },
  ),
  'a 408 proves that nothing was stored': bug(
    'www/client/response.ts',
    "mayBeCreated: fate.fate === 'unknown'",
    "mayBeCreated: fate.fate === 'unknown' && came.status !== 408",
    { worlds: ANY, seed: 10 },
  ),
  'a 499 proves that nothing was stored': bug(
    'www/client/response.ts',
    "mayBeCreated: fate.fate === 'unknown'",
    "mayBeCreated: fate.fate === 'unknown' && came.status !== 499",
    { worlds: ANY, seed: 10 },
  ),
  'a 409 in progress settles': bug('outbox/repeated-responses.ts', 'now - refused.firstAt >= CONFLICT_MS', 'true'),
  'headers that throw make the outcome unknown': bug(
    'www/client/submission.ts',
    'const details = { retryable: true, isSent: false,',
    "const details = { outcome: 'unknown' as const, retryable: true, isSent: false,",
    { worlds: ANY, seed: 4 },
  ),
  'headers that throw are an attempt that counts': bug(
    'outbox/attempt.ts',
    'return error.attempts === 0 ||',
    'return',
    { seed: 14 },
  ),
  'during a long pause every order tries': bug(
    'pkg-template/src/sending/waits.ts',
    'PROBE_MS = 60_000',
    'PROBE_MS = 6000',
    { worlds: ANY, seed: 25 },
  ),
  'a lost connection proves that nothing was stored': bug(
    'www/client/submission.ts',
    'if (mayBeCreated) this',
    'if (false) this',
    { worlds: ['createOrders'], seed: 39 },
  ),
  'a Retry-After is ignored': bug(
    'pkg-template/src/sending/waits.ts',
    'return status === 429 || status === 503;',
    'return false;',
    { worlds: ANY, seed: 17 },
  ),
  'any response proves the way to the service': bug(
    'outbox/delivery-pauses.ts',
    "effect === 'created' && !this",
    '!this',
  ),
  'a handler that failed is not called again': bug('outbox/handler.ts', 'if (!claimed) continue;', 'continue;'),
  'each order asks for a token': bug('www/client/token.ts', 'this.#asking ??= this', 'this.#asking = this', {
    worlds: ANY,
  }),
  'the store is asked every millisecond while an attempt is slow': bug(
    'outbox/delivery-pauses.ts',
    '...waits.filter((ms) => ms > 0)',
    '...waits',
    { seed: 47 },
  ),
  'a stop waits for ever': bug('outbox/stop.ts', 'cancels.add(platform.after(LAST_WRITES_MS, giveUp));', '', {
    ...{ worlds: ['outbox in memory'], seed: 4 },
    plants: [{ file: 'outbox/stop.ts', from: 'dispatcher.interrupt();', to: '' }],
  }),
};

/** @type {Record<string, Planted>} */
export const PLANTED_ON_POSTGRES = {
  'a fence is left out': onPostgres(
    'outbox/postgres/entry-table.ts',
    "AND entry.lease = row.lease AND entry.state = 'sending'",
    '',
    5,
  ),
  'what a process was sending when it died is never sent again': onPostgres(
    'outbox/postgres/entry-table.ts',
    "WHERE state = 'sending' AND CASE",
    'WHERE false AND CASE',
  ),
  'what a process was sending when it died is known not to be created': onPostgres(
    'outbox/postgres/entry-table.ts',
    "SET state = 'waiting', outcome = 'unknown', events",
    "SET state = 'waiting', events",
    2,
  ),
  'the attempt of a process that died is not in the history': onPostgres(
    'outbox/postgres/entry-table.ts',
    "json_build_object('at', lease, 'what', 'attempt', 'outcome', outcome) AS event",
    'NULL::json AS event',
    2,
  ),
  'what was lost on its way to a process is never sent again': onPostgres(
    'outbox/postgres/entry-table.ts',
    'THEN abs(lease',
    'THEN false AND abs(lease',
    3,
  ),
  'times are those of the clock of the process': onPostgres(
    'outbox/store-clock.ts',
    'this.#origin === undefined ? platform.date()',
    'true ? platform.date()',
  ),
};
