/** The events of a run, each at its time: orders, outages, kills, people. fast-check draws plans from a seed. */
import fc from 'fast-check';
import { MODES } from './service.mjs';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Orders are added and processes are killed within this time; outages may last longer. */
const SPAN = 10 * MINUTE;

const at = fc.oneof(
  { weight: 3, arbitrary: fc.nat(20 * SECOND) },
  { weight: 3, arbitrary: fc.nat(2 * MINUTE) },
  { weight: 1, arbitrary: fc.nat(SPAN) },
);
const length = fc.oneof(
  { weight: 8, arbitrary: fc.nat(20 * SECOND) },
  { weight: 4, arbitrary: fc.nat(3 * MINUTE) },
  { weight: 1, arbitrary: fc.nat(20 * MINUTE) },
);
const location = fc.integer({ min: 1, max: 3 });
const often = (usual, ...others) =>
  fc.oneof({ weight: 4 * others.length, arbitrary: fc.constant(usual) }, ...others.map((other) => fc.constant(other)));

const outage = fc.record({
  fromMs: at,
  ms: length,
  location: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, location),
  mode: fc.constantFrom(...MODES),
  retryAfterS: often(0, 1, 5, 60, 600),
  share: fc.constantFrom(0.1, 0.3, 0.6),
});

const order = fc.record({
  atMs: at,
  location,
  nature: often('good', '422', '400', '403', '404', 'empty 404'),
  isThere: often('no', 'equal', 'other'),
  via: often('add', 'transaction', 'rolled back'),
  changes: fc.array(
    fc.record({
      afterMs: length,
      action: fc.constantFrom('cancel', 'retry', 'replace', 'forget', 'settled', 'again', 'other', 'retryAll'),
    }),
    { maxLength: 2 },
  ),
});

const end = fc.record({
  worker: fc.nat(4),
  atMs: at,
  downMs: fc.oneof({ weight: 3, arbitrary: fc.nat(2 * SECOND) }, fc.nat(2 * MINUTE)),
  how: fc.constantFrom('kill', 'kill at a statement', 'stop', 'freeze'),
});

/** How many silences a plan has. */
const SILENCES = 1;

/** The members of every plan. */
export const shared = {
  seed: fc.noBias(fc.noShrink(fc.integer())),
  concurrency: fc.constantFrom(1, 2, 4, 16),
  retry: fc.constantFrom({ baseMs: 100, capMs: 5000 }, { baseMs: 1000, capMs: 60_000 }),
  timeoutMs: fc.constantFrom(2 * SECOND, MINUTE),
  // Without them, an order with an unknown fate is repeated for ten minutes.
  hasReplays: often(true, false),
  hasEmptyBodies: often(false, true),
  orders: fc.array(order, { minLength: 1, maxLength: 14 }),
  outages: fc.array(outage, { maxLength: 20, size: 'max' }),
  ends: fc.array(end, { maxLength: 5 }),
  jumps: fc.array(fc.record({ worker: fc.nat(4), atMs: at, byMs: fc.integer({ min: -HOUR, max: HOUR }) }), {
    maxLength: 1,
  }),
  rotations: fc.array(fc.record({ atMs: at }), { maxLength: 2 }),
  restores: fc.array(fc.record({ atMs: at, backMs: fc.nat(MINUTE) }), { maxLength: 1 }),
  /** When calls of the token function never return. */
  tokenSilences: fc.array(fc.record({ fromMs: at, ms: length }), { maxLength: SILENCES }),
  /** When functions of headers fail. */
  headerFailures: fc.array(fc.record({ fromMs: at, ms: length }), { maxLength: 1 }),
};

/** How the wall clock of a process differs from the service's: by how much at the start, and by how much more each day. */
const clock = fc.record({
  byMs: often(0, -5 * DAY, 80 * HOUR),
  driftMs: often(0, -MINUTE, MINUTE),
});

/** Plans for an outbox on a store. */
export const outboxPlan = (store, mostWorkers = 1) =>
  fc.record({
    ...shared,
    store: fc.constant(store),
    workers: fc.integer({ min: 1, max: mostWorkers }),
    deadlineMs: often(72 * HOUR, 10 * MINUTE),
    /** Each of ten minutes takes as long as many others. */
    suspectMs: fc.oneof(
      { weight: 20, arbitrary: fc.constant(20 * SECOND) },
      { weight: 1, arbitrary: fc.constant(10 * MINUTE) },
    ),
    handler: fc.constantFrom('returns', 'returns', 'fails', 'hangs', 'none'),
    /** Orders that are added at once, beside the others. */
    burst: often(0, 40),
    troubles: fc.array(fc.record({ fromMs: at, ms: length }), { maxLength: 1 }),
    /** When calls of the store, or statements of its connections, never return. */
    silences: fc.array(fc.record({ fromMs: at, ms: length }), { maxLength: SILENCES }),
    clocks: fc.array(clock, { minLength: mostWorkers, maxLength: mostWorkers }),
    /** The orders that are invalid, and kept for a person to replace (D65). */
    invalid: fc.array(fc.nat(13), { maxLength: 2 }),
  });

/** Plans in which the file of an outbox is replaced by an older copy. */
export const restoredPlan = fc
  .tuple(outboxPlan('sqlite'), fc.record({ atMs: at, backMs: length, downMs: fc.nat(2 * SECOND) }))
  // If the service has lost what it had, too, a correction may be stored before the order that was corrected.
  .map(([plan, putBack]) => ({ ...plan, restores: [], putBack }));

/** When the last thing of a plan has happened. */
export function endOf(plan) {
  const { orders, outages, ends, jumps, rotations, restores, putBack } = plan;
  const { tokenSilences = [], headerFailures = [], troubles = [], silences = [] } = plan;
  return Math.max(
    ...orders.map(({ atMs, changes }) => atMs + Math.max(0, ...changes.map(({ afterMs }) => afterMs))),
    ...[...outages, ...troubles, ...silences, ...tokenSilences, ...headerFailures].map(({ fromMs, ms }) => fromMs + ms),
    ...[...ends, ...(putBack ? [putBack] : [])].map(({ atMs, downMs }) => atMs + downMs),
    ...[...jumps, ...rotations, ...restores].map(({ atMs }) => atMs),
  );
}
