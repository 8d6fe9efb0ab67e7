/** Bugs that the simulation must find, each as a change of the source. */

/**
 * @typedef {object} Planted
 * @property {string[]} worlds where it shows
 * @property {import('./sources.mjs').Plant[]} plants
 * @property {number} [seed] One that finds it in few runs; the first seed may need many, and these worlds are slow.
 */

const OUTBOX = ['outbox in memory', 'outbox on SQLite'];

/** @type {Record<string, Planted>} */
export const PLANTED = {
  'the attempt is recorded after the request': {
    worlds: ['outbox on SQLite'],
    seed: 30,
    // The remains of an attempt that was not recorded before a crash.
    plants: [
      {
        file: 'outbox/sqlite/schema.ts',
        from: "state = 'waiting', outcome = 'unknown', due_at = 0",
        to: "state = 'waiting', attempts = attempts - 1, due_at = 0",
      },
    ],
  },
  'a file that was put back goes on as if it were the last one': {
    worlds: ['an outbox that is restored'],
    seed: 122,
    plants: [
      {
        file: 'outbox/sqlite/schema.ts',
        from: "if (restoredAt !== null) database.exec(RESTORED.replaceAll('$now', String(restoredAt)));",
        to: '',
      },
    ],
  },
  'what a restored file has may be cancelled and replaced': {
    worlds: ['an outbox that is restored'],
    plants: [
      {
        file: 'outbox/sqlite/schema.ts',
        from: "UPDATE outbox_entry SET outcome = 'unknown' WHERE outcome = 'not-created';\n`;\n\n/** The tables",
        to: '`;\n\n/** The tables',
      },
    ],
  },
  'the gate never opens': {
    worlds: OUTBOX,
    plants: [
      {
        file: 'pkg-template/src/sending/gate.ts',
        from: 'this.#opensAt = now + (asked || bound * (0.5 + random / 2));',
        to: 'this.#opensAt = Number.POSITIVE_INFINITY;',
      },
    ],
  },
  'the gate opens, and stays half closed': {
    worlds: OUTBOX,
    plants: [{ file: 'pkg-template/src/sending/gate.ts', from: 'if (!this.isOpen) this.#reopen();', to: '' }],
  },
  'an outage ends with a stampede': {
    worlds: OUTBOX,
    plants: [
      {
        file: 'pkg-template/src/sending/gate.ts',
        from: 'this.#limit = isOutage ? 1 : Math.max(1, Math.floor(this.#limitBefore / 2));',
        to: 'this.#limit = this.#bounds.concurrency; return;',
      },
    ],
  },
  'created on any 2xx': {
    worlds: OUTBOX,
    plants: [
      {
        file: 'www/client/response.ts',
        from: 'const fate = orderFate(',
        to: "const fate = !location && status < 300 ? { fate: 'created', order: null, issues: [] } : orderFate(",
      },
    ],
  },
  'refusals of a proxy settle': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/attempt.ts', from: "if (error.isSuspect) return 'suspect';", to: '' }],
  },
  'the first suspect refusal after a creation settles': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/suspects.ts', from: 'isEnough: suspect.counted >= ENOUGH &&', to: 'isEnough: true ||' }],
  },
  'five suspect refusals settle in any time': {
    worlds: OUTBOX,
    seed: 14,
    plants: [
      {
        file: 'outbox/suspects.ts',
        from: ' && now - suspect.firstAt >= this.#spanMs',
        to: '',
      },
    ],
  },
  'suspect refusals settle without a creation between them': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/suspects.ts', from: '(suspect.counted > 0 && !isBacked)', to: 'false' }],
  },
  'an Id is made on retry': {
    worlds: OUTBOX,
    plants: [
      {
        file: 'outbox/attempt.ts',
        from: 'const created = await send(entry, client,',
        to: `const another = entry.attempts > 1 ? entry.orderId.replace(/..$/, 'ee') : entry.orderId;
          const again = (text: string | null) => text?.replaceAll(entry.orderId, another) ?? null;
          const { path, body, expected } = entry;
          const other = { path: again(path), body: again(body), expected: again(expected) };
          const created = await send({ ...entry, orderId: another, ...other }, client,`,
      },
    ],
  },
  'a body is written again': {
    worlds: OUTBOX,
    plants: [
      {
        file: 'outbox/attempt.ts',
        from: 'await send(entry, client,',
        to: "await send({ ...entry, body: JSON.stringify(JSON.parse(entry.body ?? '')) }, client,",
      },
    ],
  },
  'a 409 after an unknown outcome is a refusal': {
    seed: 4,
    worlds: OUTBOX,
    plants: [{ file: 'outbox/attempt.ts', from: "entry.outcome === 'unknown' ? 'unknown' : 'none'", to: "'none'" }],
  },
  'a 408 proves that nothing was stored': {
    worlds: [...OUTBOX, 'createOrders'],
    plants: [
      {
        file: 'www/client/response.ts',
        from: "mayBeCreated: fate.fate === 'unknown'",
        to: "mayBeCreated: fate.fate === 'unknown' && came.status !== 408",
      },
    ],
  },
  'a 499 proves that nothing was stored': {
    worlds: [...OUTBOX, 'createOrders'],
    plants: [
      {
        file: 'www/client/response.ts',
        from: "mayBeCreated: fate.fate === 'unknown'",
        to: "mayBeCreated: fate.fate === 'unknown' && came.status !== 499",
      },
    ],
  },
  'a 409 in progress settles': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/suspects.ts', from: 'now - refused.firstAt >= CONFLICT_MS', to: 'true' }],
  },
  'headers that throw make the outcome unknown': {
    seed: 4,
    worlds: [...OUTBOX, 'createOrders'],
    plants: [
      {
        file: 'www/client/submission.ts',
        from: 'const details = { retryable: true, isSent: false,',
        to: "const details = { outcome: 'unknown' as const, retryable: true, isSent: false,",
      },
    ],
  },
  'headers that throw are an attempt that counts': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/attempt.ts', from: 'return error.attempts === 0 ||', to: 'return' }],
  },
  'during a long pause every order tries': {
    seed: 25,
    worlds: [...OUTBOX, 'createOrders'],
    plants: [{ file: 'pkg-template/src/sending/waits.ts', from: 'PROBE_MS = 60_000', to: 'PROBE_MS = 6000' }],
  },
  'a lost connection proves that nothing was stored': {
    worlds: ['createOrders'],
    plants: [{ file: 'www/client/submission.ts', from: 'if (mayBeCreated) this', to: 'if (false) this' }],
  },
  'a Retry-After is ignored': {
    seed: 17,
    worlds: [...OUTBOX, 'createOrders'],
    plants: [
      {
        file: 'pkg-template/src/sending/waits.ts',
        from: 'return status === 429 || status === 503;',
        to: 'return false;',
      },
    ],
  },
  'any response proves the way to the service': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/gates.ts', from: "effect === 'created' && !this", to: '!this' }],
  },
  'a handler that failed is not called again': {
    worlds: OUTBOX,
    plants: [{ file: 'outbox/handler.ts', from: 'if (!claimed) continue;', to: 'continue;' }],
  },
  'each order asks for a token': {
    worlds: [...OUTBOX, 'createOrders'],
    plants: [{ file: 'www/client/token.ts', from: 'this.#asking ??= this', to: 'this.#asking = this' }],
  },
  'the store is asked every millisecond while an attempt is slow': {
    seed: 47,
    worlds: OUTBOX,
    plants: [{ file: 'outbox/gates.ts', from: '...waits.filter((ms) => ms > 0)', to: '...waits' }],
  },
  'a stop waits for ever': {
    seed: 4,
    worlds: ['outbox in memory'],
    plants: [
      { file: 'outbox/stop.ts', from: 'cancels.add(platform.after(LAST_WRITES_MS, giveUp));', to: '' },
      { file: 'outbox/stop.ts', from: 'dispatcher.interrupt();', to: '' },
    ],
  },
};

/** @type {Record<string, Planted>} */
export const PLANTED_ON_POSTGRES = {
  'a fence is left out': {
    seed: 5,
    worlds: ['outbox on PostgreSQL'],
    plants: [
      {
        file: 'outbox/postgres/entry-table.ts',
        from: "AND entry.lease = row.lease AND entry.state = 'sending'",
        to: '',
      },
    ],
  },
  'what a process was sending when it died is never sent again': {
    worlds: ['outbox on PostgreSQL'],
    plants: [
      { file: 'outbox/postgres/entry-table.ts', from: "WHERE state = 'sending' AND CASE", to: 'WHERE false AND CASE' },
    ],
  },
  'what a process was sending when it died is known not to be created': {
    seed: 2,
    worlds: ['outbox on PostgreSQL'],
    plants: [
      {
        file: 'outbox/postgres/entry-table.ts',
        from: "SET state = 'waiting', outcome = 'unknown' WHERE",
        to: "SET state = 'waiting' WHERE",
      },
    ],
  },
  'what was lost on its way to a process is never sent again': {
    seed: 3,
    worlds: ['outbox on PostgreSQL'],
    plants: [{ file: 'outbox/postgres/entry-table.ts', from: 'THEN abs(lease', to: 'THEN false AND abs(lease' }],
  },
  'times are those of the clock of the process': {
    worlds: ['outbox on PostgreSQL'],
    plants: [
      {
        file: 'outbox/store-clock.ts',
        from: 'this.#origin === undefined ? platform.date()',
        to: 'true ? platform.date()',
      },
    ],
  },
};
