/**
 * Says what is wrong with the history of a run. For each Id, the service is a register that is written once; what client and
 * outbox report must be possible with what the service had at that time. The decisions are those of DECISIONS.md.
 */
import { pastProblems } from './past.mjs';

/** Entries may be looked at, and a store may be slow, for so long. */
const SLACK_MS = 2500;
const FINAL = ['created', 'refused', 'stalled', 'cancelled', 'invalid'];
/** In units of `baseMs`: another attempt starts beside a slow probe. */
const PATIENCE = 5;
/** After more pauses than these it was an outage, and what waits is not sent all at once. */
const SHORT_PAUSES = 3;

/**
 * Returns sentences, each with the Id of its order if it is about one; none if the history is right.
 *
 * @param {{ plan: any, orders: any[], history: any[], entries?: any[] }} run
 * @returns {{ orderId?: string, problem: string }[]}
 */
export function check({ plan, orders, history, entries }) {
  const problems = [];
  const events = history.map((event, index) => ({ ...event, index }));
  const byId = Map.groupBy(
    events.filter(({ orderId }) => orderId),
    ({ orderId }) => orderId,
  );
  const known = new Map(orders.map((order) => [order.orderId, order]));
  for (const [orderId, own] of byId) {
    const report = (problem) => {
      if (!problems.some((other) => other.orderId === orderId && other.problem === problem))
        problems.push({ orderId, problem });
    };
    if (!known.has(orderId)) report('was sent, and nobody has added an order with this Id');
    else checkOrder({ plan, own, events, order: known.get(orderId), report });
  }
  if (entries) for (const problem of entryProblems(plan, events, byId, entries)) problems.push(problem);
  for (const { what, error, events: count, call, ms } of events) {
    if (what === 'busy') problems.push({ problem: `more than ${count} events` });
    if (what === 'threw') problems.push({ problem: `a call threw what it should not: ${error}` });
    if (what === 'late') problems.push({ problem: `${call} has not ended within ${ms} ms (D59)` });
    if (what === 'never returned') problems.push({ problem: 'a call of the outbox has never returned' });
    if (what === 'never stopped') problems.push({ problem: 'the outbox was stopped, and did not end' });
  }
  for (const [process, own] of Map.groupBy(events, (event) => event.process)) {
    if (process)
      for (const problem of processProblems(plan, own)) problems.push({ problem: `process ${process}: ${problem}` });
  }
  return problems;
}

// ---------------------------------------------------------------- an order

function checkOrder({ plan, own, events, order, report }) {
  const of = (...names) => own.filter(({ what }) => names.includes(what));
  const bodies = new Set(of('add', 'added', 'replace', 'other').map(({ body }) => body));
  for (const { body } of of('request')) {
    if (bodies.has(body)) continue;
    report('was sent with other bytes than it was added with');
    break;
  }
  const stored = of('stored').filter(({ number }) => number !== null);
  if (new Set(stored.map(({ body }) => body)).size > 1)
    report('was stored with different contents, one after the other');
  if (of('request').length > 0 && of('added', 'replaced', 'called').length === 0) {
    if (of('rolled back').length > 0) report('was sent although its transaction was rolled back');
  }

  const { copied, putBack, isLost } = backupOf(events);
  /** When what is in an entry was stored: before the backup was made, if nothing has come since it was put back. */
  const writtenAt = (index) =>
    index > putBack && !of('response').some((other) => other.index > putBack && other.index < index) ? copied : index;
  // The file that was put back does not know that the order was sent before.
  const isForgotten = own.some(({ what, index }) => ['add', 'added', 'other'].includes(what) && isLost(index));
  for (const event of own.filter(isClaim)) {
    const { index, outcome, state } = event;
    const isOfNew = isForgotten && index > putBack;
    const before = of('stored').filter((other) => other.index < index);
    const known = knownAt(event, own);
    const sentBefore = (number) => of('request').some((request) => request.number === number && request.index < known);
    if (outcome === 'created' && !before.some(({ body }) => bodies.has(body)))
      report('is created, and the service has never stored it');
    const later = stored.find(({ number }) => sentBefore(number));
    if (outcome === 'not-created' && later && !isOfNew)
      report(`is ${state ?? 'failed'} with the outcome not-created, and the service stored it at ${later.at} ms`);
    if (
      outcome === 'unknown' &&
      isUndisturbed(plan, events, index) &&
      !of('request').some((other) => other.index < index)
    )
      report('has the outcome unknown, and nothing of it was ever sent (D31)');
    if (
      state === 'stalled' &&
      event.reason === 'ConflictError' &&
      !wasConflictRepeated({ index: writtenAt(index) }, own)
    )
      report('is stalled because of a 409 that was not repeated for ten minutes (D34)');
    const isByResponse = state === 'refused' || (state === 'stalled' && BY_RESPONSE.includes(event.reason));
    if (isByResponse && !isOfNew && !wasRefused({ index: writtenAt(index) }, own, events, plan))
      report(`is ${state}, and the service has not refused it (D51)`);
    // By the clock of the database, whatever the clocks of the processes say (D60).
    const added = of('add').find((other) => other.index < index);
    if (plan.store === 'postgres' && event.reason === 'Deadline' && added && event.at - added.at < plan.deadlineMs - 1)
      report(`is stalled because of its deadline ${event.at - added.at} ms after it was added`);
    if (state === 'stalled' && event.reason !== 'Deadline' && outcome !== 'unknown')
      report(`is stalled because of ${event.reason} with the outcome ${outcome}`);
    if (
      event.alreadyThere &&
      !isOfNew &&
      order.isThere !== 'equal' &&
      !of('stored').some(({ number }) => number === null)
    )
      report('was already there, and nobody has sent it before (D53)');
  }
  for (const cancel of of('cancel done')) {
    const sent = of('request').find((other) => other.index > cancel.index);
    // It may take effect before another call that has begun meanwhile.
    const begun = of('cancel').findLast(({ index }) => index < cancel.index);
    const isMeant = ({ what, index }) => MEANT.includes(what) && index > (begun ?? cancel).index && index < sent?.index;
    // A call of retryAll is noted for one order, and sends all.
    const isOfOrder = ({ what, orderId }) => ['retryAll', 'retried'].includes(what) || orderId === order.orderId;
    if (sent && !events.some((other) => isMeant(other) && isOfOrder(other)))
      report('was sent after it had been cancelled');
  }
  const handed = of('handed');
  for (const [index, event] of handed.entries()) {
    const before = handed[index - 1];
    if (
      before &&
      before.state !== event.state &&
      !hasBegunAnew(events, before, event) &&
      !events.some(({ what, index }) => what === 'put back' && index > before.index && index < event.index)
    )
      report(`was handed over as ${before.state}, and then as ${event.state}`);
  }
  for (const { index, at, process } of of('settled')) {
    // A call that failed, because the store did, is repeated.
    const asked = of('settled?').findLast((other) => other.index < index && other.process === process);
    const isFrozen = events.some((other) => other.what === 'frozen' && other.process === process);
    if (!isFrozen && at - asked.at > 2000 + SLACK_MS)
      report(`settled() with a time-out of 2,000 ms took ${at - asked.at} ms`);
  }
}

/** Returns the index before which a claim knows what was sent: the next attempt may start before onResult gets the last result. */
function knownAt({ what, index, process, startedAt }, own) {
  if (what !== 'result') return index;
  const attempts = own.filter((other) => other.what === 'attempt' && other.process === process);
  const next = 1 + attempts.findIndex(({ at }) => at >= startedAt);
  return Math.min(index, attempts[next]?.index ?? index);
}

/** Returns when a backup was put back, and whether what was accepted at some time is lost with the previous file. */
function backupOf(events) {
  const [copied, putBack] = ['copied', 'put back'].map((name) => events.find(({ what }) => what === name)?.index);
  return { copied, putBack, isLost: (index) => putBack !== undefined && index > copied && index < putBack };
}

/** What sends an order again that was cancelled: a person, who may have a backup in which it waits. */
const MEANT = [
  ...['replace', 'retry', 'retryAll', 'again', 'other', 'add'],
  ...['replaced', 'retry done', 'retried', 'added'],
];

/** A process dies, or its store fails, while an attempt is recorded that it has not made: nobody knows that later. */
function isUndisturbed({ workers = 1, troubles = [], silences = [] }, events, index) {
  const before = events.filter((other) => other.index < index);
  const isOf = (name) => before.filter(({ what }) => what === name);
  return troubles.length + silences.length + isOf('frozen').length === 0 && isOf('started').length <= workers;
}

/** How long a 409 after an attempt whose fate is unknown is repeated (D34). */
const CONFLICT_MS = 600_000;

/** A process has got such responses for so long. */
function wasConflictRepeated({ index }, own) {
  const conflicts = own.filter(({ what, status, index: at }) => what === 'response' && status === 409 && at < index);
  return [...Map.groupBy(conflicts, ({ process }) => process).values()].some(
    ([first, ...others]) => (others.at(-1) ?? first).at - first.at >= CONFLICT_MS - 1,
  );
}

/** The sources that say what has become of an order. */
function isClaim({ what, outcome }) {
  return outcome !== undefined && ['handed', 'result', 'settled', 'cancel done', 'sent', 'entry'].includes(what);
}

/** The calls with which a person, or a correction, begins anew, and how they end. */
const ANEW = { retry: 'retry done', replace: 'replaced', cancel: 'cancel done', retryAll: 'retried' };

/** Such a call ran at some time between two events of an order. */
function hasBegunAnew(events, before, after) {
  // A call of retryAll is noted for one order, and sends all.
  const isOf = ({ orderId }, call) => call === 'retryAll' || orderId === after.orderId;
  return events.some((start) => {
    const { what: call, index, process } = start;
    if (!ANEW[call] || !isOf(start, call) || index > after.index) return false;
    const ends = [ANEW[call], `${call} refused`];
    const isEnd = (event) => ends.includes(event.what) && isOf(event, call) && event.process === process;
    const end = events.find((event) => event.index > index && isEnd(event));
    return (end?.index ?? Number.POSITIVE_INFINITY) > before.index;
  });
}

/** Reasons with which an order is stalled because of a response that came. */
const BY_RESPONSE = [
  ...['UnexpectedResponseError', 'ServerError', 'PermissionError', 'NotFoundError', 'RejectedError'],
];
/** Statuses below 500 of trouble that passes. */
const TROUBLE = [408, 425, 429, 499];
const ENOUGH = 5;
const CREATED = [200, 201];

/**
 * The service itself has refused it, in its own words; or what came last is suspect, as were those before it, and of these
 * there are five over the span of the plan, each with a creation since the one before (D51).
 */
function wasRefused({ index }, own, events, { suspectMs }) {
  // After a 401 the client sends the order again by itself.
  const before = own.filter(({ what, status, index: at }) => what === 'response' && status !== 401 && at < index);
  // A gateway may replace the response of a service that has refused the order.
  const isOwn = ({ status, number }) =>
    [400, 409, 422].includes(status) && own.some((other) => other.what === 'refused' && other.number === number);
  const isSuspect = (response) =>
    response.status === 501 || (response.status < 500 && !TROUBLE.includes(response.status) && !isOwn(response));
  // Another process may hand it over, and a process that was frozen may get a response later.
  return [...Map.groupBy(before, ({ process }) => process)].some(([name, responses]) => {
    const last = responses.at(-1);
    if (!isSuspect(last)) return isOwn(last);
    const isProven = (from, to) =>
      events
        .slice(from + 1, to)
        .some(({ what, status, process }) => what === 'response' && CREATED.includes(status) && process === name);
    // The process has counted them since it started, or since another response.
    const [first, ...row] = responses.slice(1 + responses.findLastIndex((response) => !isSuspect(response)));
    const counted = [first];
    for (const response of row) if (isProven(counted.at(-1).index, response.index)) counted.push(response);
    return counted.length >= ENOUGH && last.at - first.at >= suspectMs - 1;
  });
}

// ---------------------------------------------------------------- the entries at the end

function* entryProblems(plan, events, byId, entries) {
  const stored = new Map(entries.map((entry) => [entry.orderId, entry]));
  const { isLost } = backupOf(events);
  for (const [orderId, own] of byId) {
    if (own.some(({ what, index }) => what === 'added' && !isLost(index)) && !stored.has(orderId))
      yield { orderId, problem: 'was accepted, and is lost' };
  }
  const { store, jumps = [], clocks = [] } = plan;
  const run = {
    ...{ events, isLost, isUndisturbed: isUndisturbed(plan, events, events.length) },
    isOnTime: store !== 'postgres' && jumps.length === 0 && clocks.every(({ byMs, driftMs }) => !byMs && !driftMs),
  };
  for (const entry of entries) {
    const { orderId, state, noticeAt, attempts = 0 } = entry;
    const own = byId.get(orderId) ?? [];
    for (const problem of entry.past ? pastProblems(entry, own, run) : [])
      yield { orderId, problem: `has a history that ${problem}` };
    const requests = own.filter(({ what }) => what === 'request').length;
    if (attempts > requests && run.isUndisturbed)
      yield { orderId, problem: `has ${attempts} attempts, and was sent ${requests} times (D31)` };
    if (!FINAL.includes(state)) yield { orderId, problem: `is ${state} for ever` };
    if (plan.handler === 'none' || state === 'cancelled') continue;
    const isBegunAnew = own.some(({ what }) => ['retry', 'replace', 'retried', 'cancel'].includes(what));
    const wasHanded = own.some(({ what, state: handed }) => what === 'handed' && handed === state);
    if (FINAL.includes(state) && (noticeAt !== null || !wasHanded) && !isBegunAnew)
      yield { orderId, problem: `is ${state}, and was never handed over` };
  }
}

// ---------------------------------------------------------------- a process

function* processProblems(plan, own) {
  yield* tokenProblems(own);
  yield* stopProblems(own);
  if (own.some(({ what }) => what === 'attempt')) {
    yield* gateProblems(plan, own);
    yield* pauseProblems(own);
  } else yield* batchProblems(plan, own);
}

/** A stop ends within its time, whatever the store does (D59). */
function* stopProblems(own) {
  const { at, timeoutMs } = own.find(({ what }) => what === 'stops') ?? {};
  if (timeoutMs === undefined || own.some(({ what }) => what === 'frozen')) return;
  const end = own.findLast(({ what }) => what !== 'killed').at;
  if (end - at > timeoutMs + SLACK_MS) yield `a stop with a time-out of ${timeoutMs} ms took ${end - at} ms`;
}

/** One call of the token function at a time (D35), until it is late and aborted (D59). */
function* tokenProblems(own) {
  let isAsking = false;
  for (const { what, at } of own) {
    if (what === 'stops' || what === 'frozen') return;
    if (what === 'token asked' && isAsking) yield `the token function was called at ${at} ms, while it ran`;
    if (what === 'token asked' || what === 'token given') isAsking = what === 'token asked';
  }
}

/** While a gate is closed nothing starts, and then one attempt at a time (D52). */
function* gateProblems({ retry, concurrency }, own) {
  const gates = new Map();
  let closings = 0;
  let paced = { until: -1, starts: 0 };
  for (const { what, at, scope, location, isOpen, waitMs } of own) {
    if (what === 'gate') {
      const name = scope === 'service' ? scope : location;
      if (name === 'service') {
        if (isOpen && closings > SHORT_PAUSES) paced = { until: at + retry.baseMs, starts: 1 };
        closings = isOpen ? 0 : closings + 1;
      }
      if (isOpen) gates.delete(name);
      else gates.set(name, { at, opensAt: at + waitMs - 1, probes: 0 });
    }
    if (what !== 'attempt') continue;
    if (at < paced.until && ++paced.starts > 2 * concurrency)
      yield `${paced.starts} attempts had started by ${at} ms, just after an outage`;
    for (const name of ['service', location]) {
      const gate = gates.get(name);
      if (!gate) continue;
      if (at < gate.opensAt) yield `an attempt started at ${at} ms, while the gate of ${name} was closed`;
      // An attempt at a location may end without a result for it, because the service is down.
      if (name !== 'service') continue;
      const most = 1 + (concurrency > 1 ? Math.floor((at - gate.opensAt) / (PATIENCE * retry.baseMs)) : 0);
      if (++gate.probes > most) yield `${gate.probes} attempts had started by ${at} ms, in one pause of ${name}`;
    }
  }
}

/** During a pause that the service has asked for, one order tries after each minute whether it is over (D33). */
const PROBE_MS = 60_000;

/** A pause of a location, or of all orders of a batch. */
class AskedPause {
  #askedAt = 0;
  #endsAt = 0;
  #triesAt = 0;

  /** Records a Retry-After. Returns true if a pause begins with it. */
  ask(at, ms) {
    const isBegun = at >= this.#endsAt;
    if (isBegun) this.#triesAt = at + PROBE_MS;
    if (at + ms > this.#endsAt) this.#askedAt = at;
    this.#endsAt = Math.max(this.#endsAt, at + Math.min(ms, 3_600_000));
    return isBegun;
  }

  end() {
    this.#endsAt = 0;
  }

  /** Records that an order is sent. Returns a sentence if that is too early. */
  problem(at, what) {
    if (at >= this.#endsAt - 1) return undefined;
    const triesAt = this.#triesAt;
    this.#triesAt = at + PROBE_MS;
    return at < triesAt - 1
      ? `${what} started at ${at} ms, although the service had asked at ${this.#askedAt} ms for a pause until ${this.#endsAt} ms`
      : undefined;
  }
}

/** After a Retry-After the location pauses (D52), until an order that tries gets another response. */
function* pauseProblems(own) {
  const locations = new Map(own.flatMap(({ orderId, location }) => (location ? [[orderId, location]] : [])));
  const pauses = new Map([...locations.values()].map((location) => [location, new AskedPause()]));
  for (const { what, at, orderId, asked, location, scope, isOpen } of own) {
    if (what === 'response' && asked) pauses.get(locations.get(orderId))?.ask(at, asked.ms);
    if (what === 'gate' && scope === 'location' && isOpen) pauses.get(location)?.end();
    const problem = what === 'attempt' && pauses.get(location)?.problem(at, 'an attempt');
    if (problem) yield problem;
  }
}

/**
 * A batch pauses for all orders when the service asks for it (D52). Those that have had their turn, and wait for a token, are sent
 * when it comes, as the attempts of an outbox are.
 */
function* batchProblems({ concurrency }, own) {
  const pause = new AskedPause();
  const tries = new Set();
  let isAsking = false;
  let givenAt = -1;
  let hadTurn = 0;
  for (const { what, at, asked, number, status } of own) {
    if (what === 'frozen') return;
    if (what === 'token asked' || what === 'token given') isAsking = what === 'token asked';
    if (what === 'token asked') hadTurn = 0;
    if (what === 'token given') givenAt = at;
    if (asked) {
      if (pause.ask(at, asked.ms)) {
        tries.clear();
        hadTurn = isAsking ? concurrency : 0;
      }
    } else if (what === 'response' && tries.has(number) && status < 500 && ![401, ...TROUBLE].includes(status))
      pause.end();
    if (what !== 'request') continue;
    // The response to a request from before the pause proves nothing about the time after it.
    if (hadTurn > 0 && at === givenAt) hadTurn--;
    else {
      tries.add(number);
      const problem = pause.problem(at, 'a request');
      if (problem) yield problem;
    }
  }
}
