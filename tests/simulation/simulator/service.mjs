/**
 * The service, with the network and the proxies before it: what may go wrong on the other side. What it never does is an
 * assumption of the client: a 4xx, 408 aside, is never the response to a request that was stored or will be (D31).
 */
import { dateOf, isDuring } from './time.mjs';

/**
 * The effect of an outage on a request. `proxy`: something before the service responds, and it never sees it. `service`: it
 * refuses it. `deploys`: so does a share of the nodes. The others may lose it, or store it and lose the response.
 */
export const MODES = [
  ...['unreachable', 'reset', 'silent', 'late', 'slow', 'doubles', 'sporadic', 'refuses', 'relay', 'endless'],
  ...['page 200', 'page 403', 'page 404', 'page 501', 'page 503', 'redirect', 'json 403', 'json 404', 'json 405'],
  ...['status 408', 'status 425', 'status 429', 'status 499', 'status 500', 'status 502', 'status 503', 'processing'],
  ...['other Id', 'broken JSON', 'empty 200'],
  ...['deploys page 403', 'deploys page 404', 'deploys json 403', 'deploys json 404', 'deploys json 405'],
];
const DEPLOYS = 'deploys ';
const SPORADIC = [
  ...['reset', 'silent', 'late', 'status 500', 'status 503', 'broken JSON', 'doubles', 'slow', 'status 408'],
  ...['status 499', 'processing'],
];
/** How long clients wait for their token function. */
export const TOKEN_MS = 1500;
/** How long a request may be on its way. Longer than the client waits. */
const LATEST_MS = 240_000;
const JSON_TYPE = 'application/json; charset=utf-8';
const PAGE = '<!doctype html><title>Sorry</title><p>We will be back soon.';

export class Service {
  /** Order Id → what is stored: a register that is written once. */
  stored = new Map();
  /** The outages that have met a request. */
  met = new Set();
  requests = 0;
  /** The orders that a relay has accepted: the next time it responds with their state. */
  #relayed = new Set();
  /** The orders of requests that the service has not finished. */
  #processing = new Set();
  #scheduler;
  #plan;
  #record;
  #token = 1;

  constructor(scheduler, plan, record) {
    this.#scheduler = scheduler;
    this.#plan = plan;
    this.#record = record;
    for (const { atMs } of plan.rotations) {
      scheduler.at(atMs, null, () => {
        this.#token++;
        record({ what: 'tokens revoked' });
      });
    }
    for (const { atMs, backMs } of plan.restores) scheduler.at(atMs, null, () => this.#restore(backMs));
    for (const { orderId, body } of plan.existing ?? []) this.#store(orderId, body, null);
  }

  /** The token function of a process: takes its time, and may fail or return an old token. */
  tokenOf(process) {
    const { random } = this.#scheduler;
    return async ({ signal }) => {
      this.#record({ what: 'token asked', process: process.name });
      const { now } = this.#scheduler;
      if (isDuring(this.#plan.tokenSilences, now) && random() < 0.5) await this.#aborted(signal, process);
      await this.#scheduler.pause(this.#scheduler.between(1, 200), process);
      this.#record({ what: 'token given', process: process.name });
      if (random() < 0.05) throw new Error('the identity service is down');
      return `token-${random() < 0.05 ? this.#token - 1 : this.#token}`;
    };
  }

  /** The function of headers of a process, which fails at times, or returns what is no header. */
  headersOf() {
    const { random } = this.#scheduler;
    return () => {
      if (!isDuring(this.#plan.headerFailures, this.#scheduler.now) || random() < 0.3) return {};
      if (random() < 0.5) return { 'x-signature': 7 };
      throw new Error('no signing key');
    };
  }

  /** Waits in vain: the client aborts the call when it has waited for long enough (D59). */
  #aborted(signal, process) {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        this.#record({ what: 'token given', process: process.name });
        reject(signal.reason);
      });
    });
  }

  /** The fetch of a process. */
  fetchOf(process) {
    return (url, { body, headers, signal }) => {
      const orderId = /ServiceOrder\(([^)]*)\)$/.exec(url)?.[1];
      const { EntityId } = JSON.parse(body);
      const { Authorization: token } = headers;
      const request = {
        number: ++this.requests,
        url,
        orderId,
        body,
        token,
        location: EntityId,
        sentAt: this.#scheduler.now,
      };
      return new Promise((resolve, reject) => {
        // Requests of a process that is dying do not leave it.
        if (!process.isAlive) return;
        this.#record({ what: 'request', process: process.name, orderId, body, number: request.number });
        signal.addEventListener('abort', () => reject(signal.reason));
        const later = (run) => void this.#scheduler.in(this.#scheduler.between(1, 50), process, run);
        this.#send(request, {
          respond: (status, text, more) => {
            const sent = { date: new Date(dateOf(this.#scheduler.now)).toUTCString(), ...more };
            later(() => signal.aborted || resolve(this.#response(request, status, text, sent, process, signal)));
          },
          fail: (code, syscall) => later(() => reject(networkError(code, syscall))),
        });
      });
    };
  }

  // ---------------------------------------------------------------- on the way

  #send(request, answer) {
    const { random } = this.#scheduler;
    const outage = this.#outageFor(request);
    const mode = outage && this.#modeOf(outage);
    if (mode === 'unreachable') return answer.fail('ECONNREFUSED', 'connect');
    const isLost = random() < 0.5;
    // A connection breaks before or after the service has seen the request; the sender can't know.
    if (mode === 'reset' && isLost) return answer.fail('ECONNRESET');
    if (mode === 'silent' && isLost) return undefined;
    const latency = { slow: 45_000, late: LATEST_MS, doubles: 1000 }[mode] ?? 400;
    const travel = this.#scheduler.between(1, latency) * (random() < 0.7 ? 0.2 : 1);
    this.#scheduler.in(travel, null, () => this.#arrive(request, mode, outage, answer));
    return undefined;
  }

  /** Returns the effect on one request: some outages are not everywhere. */
  #modeOf({ mode, share }) {
    const { random } = this.#scheduler;
    const isDeployment = mode.startsWith(DEPLOYS);
    if (mode !== 'sporadic' && !isDeployment) return mode;
    if (random() >= share) return undefined;
    return isDeployment ? mode.slice(DEPLOYS.length) : SPORADIC[Math.floor(random() * SPORADIC.length)];
  }

  #outageFor({ location }) {
    const { now } = this.#scheduler;
    const found = this.#plan.outages.find(
      ({ fromMs, ms, location: only }) => now >= fromMs && now < fromMs + ms && (only === null || only === location),
    );
    if (found) this.met.add(found);
    return found;
  }

  #arrive(request, mode, outage, answer) {
    const { random } = this.#scheduler;
    const isStoredFirst = random() < 0.5;
    const [kind, status] = (mode ?? '').split(' ');
    const waits = { 'retry-after': this.#retryAfter(outage), askedMs: outage?.retryAfterS * 1000 };
    // A gateway may replace the response of the service, but for one that says that the request was refused.
    const isReplaced = ['page 200', 'page 501', 'page 503', 'redirect'].includes(mode);
    if (isReplaced && isStoredFirst) this.#handle(request);
    if (kind === 'page') return answer.respond(Number(status), random() < 0.2 ? '' : PAGE, { type: 'text/html' });
    if (kind === 'redirect')
      return answer.respond(302, PAGE, { type: 'text/html', location: 'https://sorry.example/' });
    if (kind === 'json') return this.#refuse(request, answer, Number(status));
    if (mode === 'refuses') return this.#refuse(request, answer, 422);
    if (mode === 'status 429') return answer.respond(429, '{"Message":"Too many requests"}', waits);
    if (mode === 'status 425') return answer.respond(425, '{"Message":"Too early"}', waits);
    if (kind === 'processing') return this.#process(request, answer);
    if (kind === 'relay') {
      if (isStoredFirst) this.#scheduler.in(this.#scheduler.between(100, LATEST_MS), null, () => this.#handle(request));
      const { orderId } = request;
      const text = this.#relayed.has(orderId) ? JSON.stringify({ orderId, state: 'waiting' }) : '';
      this.#relayed.add(orderId);
      return answer.respond(text ? 200 : 202, text, { location: '/relay/1' });
    }
    const isBroken = mode !== undefined && !['late', 'slow', 'doubles', 'sporadic'].includes(mode);
    // The response that it would have sent. A refusal can't become a response that creates; a broken one says less.
    const real = !isBroken || isStoredFirst || kind === 'reset' || kind === 'silent' ? this.#handle(request) : null;
    if (kind === 'reset') return answer.fail('ECONNRESET');
    if (kind === 'silent') return undefined;
    if (kind === 'status') return answer.respond(Number(status), '{"Message":"Something failed"}', waits);
    if (kind === 'empty') return answer.respond(200, '');
    if (kind === 'other')
      return answer.respond(201, request.body.replace(request.orderId, `${request.orderId.slice(0, -2)}ff`));
    if (kind === 'broken') return answer.respond(201, request.body.slice(0, -20));
    if (kind === 'endless') return answer.respond(random() < 0.5 ? 201 : 500, '{"Id":', { isEndless: true });
    if (real === null) return undefined;
    if (kind === 'doubles' && real.isStored)
      this.#scheduler.in(this.#scheduler.between(1, LATEST_MS), null, () => this.#handle(request));
    return answer.respond(real.status, real.text, real);
  }

  #retryAfter(outage) {
    const seconds = outage?.retryAfterS;
    if (!seconds) return undefined;
    const date = new Date(dateOf(this.#scheduler.now) + seconds * 1000).toUTCString();
    return this.#scheduler.random() < 0.5 ? `${seconds}` : date;
  }

  // ---------------------------------------------------------------- the service

  /** The response of the service itself. */
  #handle(request) {
    const { orderId, body, token } = request;
    // Old tokens are refused, however late the request is.
    if (token !== `Bearer token-${this.#token}`) return { status: 401, text: '{"Message":"The token is not valid"}' };
    if (this.#processing.has(orderId)) {
      const retryAfter = this.#scheduler.random() < 0.5 ? '5' : undefined;
      return {
        status: 409,
        text: '{"Message":"Another request with this Id is in progress"}',
        'retry-after': retryAfter,
      };
    }
    const nature = this.#plan.natures?.get(orderId) ?? 'good';
    if (nature === 'empty 404') return { status: 404, text: '' };
    if (nature !== 'good') {
      this.#record({ what: 'refused', orderId, number: request.number });
      return { status: Number(nature), text: '{"Message":"This order can not be accepted"}' };
    }
    const known = this.stored.get(orderId);
    if (known && (known.body !== body || !this.#plan.hasReplays)) {
      this.#record({ what: 'refused', orderId, number: request.number });
      return { status: 409, text: '{"Message":"Another order has this Id"}' };
    }
    if (!known) this.#store(orderId, body, request);
    this.#record({ what: 'confirmed', orderId, number: request.number });
    const isEmpty = !known && this.#plan.hasEmptyBodies;
    const text = isEmpty ? '' : `${body.slice(0, -1)},"ReceiptNumber":"R-1"}`;
    return { status: known ? 200 : 201, text, isStored: true };
  }

  /** Loses the connection, and goes on for a while: other requests with this Id get a 409 meanwhile. */
  #process(request, answer) {
    const { orderId } = request;
    if (this.#processing.has(orderId)) {
      const { status, text, ...more } = this.#handle(request);
      return answer.respond(status, text, more);
    }
    this.#processing.add(orderId);
    this.#scheduler.in(this.#scheduler.between(100, LATEST_MS), null, () => {
      this.#processing.delete(orderId);
      this.#handle(request);
    });
    return answer.fail('ECONNRESET');
  }

  #refuse({ orderId, number }, answer, status) {
    this.#record({ what: 'refused', orderId, number });
    answer.respond(status, '{"Message":"Nothing is accepted here now"}');
  }

  #store(orderId, body, request) {
    this.stored.set(orderId, { body, at: this.#scheduler.now });
    const { number = null, sentAt = 0 } = request ?? {};
    this.#record({ what: 'stored', orderId, body, number, sentAt: Math.round(sentAt) });
  }

  /** The database is lost, and restored from before. */
  #restore(backMs) {
    for (const [orderId, { at }] of this.stored) {
      if (at < this.#scheduler.now - backMs) continue;
      this.stored.delete(orderId);
      this.#record({ what: 'lost', orderId });
    }
  }

  #response(request, status, text, more, process, signal) {
    const { number, orderId, url } = request;
    const { type = JSON_TYPE, location, isEndless } = more;
    const headers = new Map([
      ['date', more.date],
      ['content-type', text === '' ? undefined : type],
      // A body whose end nothing marks may have been cut off.
      ['content-length', `${new TextEncoder().encode(text).length}`],
      ['location', location],
      ['retry-after', more['retry-after']],
    ]);
    const asked = [429, 503].includes(status) && more['retry-after'] ? { ms: more.askedMs } : undefined;
    this.#record({ what: 'response', process: process.name, orderId, number, status, type: text && type, asked });
    const chunks = [new TextEncoder().encode(text)];
    const read = () => {
      if (chunks.length > 0) return Promise.resolve({ done: false, value: chunks.shift() });
      if (!isEndless) return Promise.resolve({ done: true, value: undefined });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const body = { getReader: () => ({ read, cancel: async () => {} }) };
    return { status, url, headers: { get: (name) => headers.get(name) ?? null }, body };
  }
}

function networkError(code, syscall) {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error(code), { code, ...(syscall && { syscall }) }),
  });
}
