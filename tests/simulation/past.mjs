/** Says what is wrong with the history that the outbox keeps of an entry (D66): it must say what has happened in the run. */
import { dateOf } from './simulator/time.mjs';

/** The most events of a history. If there are more, those in its middle are deleted. */
const MOST = 200;
/** What people do with an entry, and the event of a call that has returned. */
const ACTIONS = { retry: 'retry done', cancel: 'cancel done', replace: 'replaced' };
const ROUNDING_MS = 2;
/** What may settle an entry without a person. */
const SETTLING = ['settled', 'restored'];
/** Who does it. */
export const PERSON = 'till 7';

/**
 * @param {any} entry at the end, with its history: `past`
 * @param {any[]} own what happened to its order
 * @param {{ events: any[], isLost: (index: number) => boolean, isUndisturbed: boolean, isOnTime: boolean }} run
 */
export function* pastProblems({ state, outcome, reason, past }, own, { events, isLost, isUndisturbed, isOnTime }) {
  const count = (all, name) => all.filter(({ what }) => what === name).length;
  const attempts = past.filter(({ what }) => what === 'attempt');
  const ended = attempts.filter(({ durationMs }) => durationMs !== undefined);
  if (past[0]?.what !== 'added' || count(past, 'added') !== 1) yield 'does not begin when it was added';
  if (attempts.length > MOST) yield `has ${attempts.length} attempts`;
  const made = count(own, 'attempt');
  if (ended.length > made) yield `has ${ended.length} attempts that ended, and ${made} were made`;
  if (ended.length < attempts.length && isUndisturbed) yield 'has an attempt without a result';
  for (const [status, its] of Map.groupBy(ended, (attempt) => attempt.status)) {
    const responses = own.filter((event) => event.what === 'response' && event.status === status);
    if (status !== undefined && its.length > responses.length)
      yield `has the status ${status} more often than it was sent`;
  }
  for (const action of Object.keys(ACTIONS)) {
    const most = count(own, action) + (action === 'retry' ? count(events, 'retryAll') : 0);
    if (count(past, action) > most) yield `has a ${action} that nobody asked for`;
  }
  const isForgotten = count(past, 'forget') > 0;
  if (past.some(({ what, by }) => (what === 'forget' || what in ACTIONS) && by !== PERSON))
    yield 'does not say who changed it';
  const end = past.findLast(({ what }) => SETTLING.includes(what) || what in ACTIONS);
  const isRight = SETTLING.includes(end?.what)
    ? end.outcome === outcome && (end.reason ?? null) === reason
    : isForgotten || state === (end?.what === 'cancel' ? 'cancelled' : 'waiting');
  if (!isRight) yield `ends with ${JSON.stringify(end)}, and it is ${state}, ${outcome}, ${reason}`;

  // What was deleted with a file, by a person, or because it was too much, need not be in it.
  const since = isForgotten ? endOfForget(own) : { index: -1, at: -1 };
  const known = own.filter(
    ({ index, startedAt = Infinity }) => index > since.index && startedAt > since.at && !isLost(index),
  );
  if (past.length >= MOST) return;
  const seen = seenIn(known) - Number(state === 'sending');
  if (attempts.length < seen) yield `has ${attempts.length} attempts, and the service saw ${seen}`;
  for (const [action, done] of Object.entries(ACTIONS))
    if (count(past, action) < Math.min(count(known, action), count(known, done))) yield `lacks a ${action}`;
  // Processes may report in another order than they write.
  const results = Map.groupBy(
    known.filter(({ what }) => what === 'result'),
    ({ process }) => process,
  );
  for (const its of results.values()) {
    const missing = missingIn(past, its.flatMap(eventsOf), isOnTime);
    if (missing) yield `lacks ${JSON.stringify(missing)}`;
  }
}

/** Returns when the last `forget` had returned: it may have deleted what began before. Never, if its process ended first. */
function endOfForget(own) {
  const { what, index, at } = own.findLast((event) => event.what.startsWith('forget'));
  return what === 'forget' ? { index: Infinity, at } : { index, at };
}

/** Returns how many attempts have sent something. */
function seenIn(own) {
  const begun = new Set();
  return own.filter(({ what, process }) => {
    if (what === 'attempt') begun.add(process);
    return what === 'request' && begun.delete(process);
  }).length;
}

/** Returns what the history must have because of a result. */
function eventsOf({ state, status, outcome, reason, startedAt }) {
  // A deadline that has passed settles an order whose last attempt had its own reason.
  const attempt = { what: 'attempt', status, outcome, startedAt, ...(reason !== 'Deadline' && { reason }) };
  return state === 'waiting' ? [attempt] : [attempt, { what: 'settled', outcome, reason }];
}

/** Returns the first of some events that is not in a history after those before it. */
function missingIn(past, expected, isOnTime) {
  let index = 0;
  return expected.find(({ startedAt, ...event }) => {
    const isThen = ({ at }) => !isOnTime || startedAt === undefined || Math.abs(at - dateOf(startedAt)) <= ROUNDING_MS;
    const isSame = (other) => Object.entries(event).every(([name, value]) => (other[name] ?? null) === (value ?? null));
    while (index < past.length && !(isSame(past[index]) && isThen(past[index]))) index++;
    return index++ >= past.length;
  });
}
