import { type Guid, OptionError, type PreparedRequest, prepareRequest, salesOrderSchema } from 'sales-order-intake';
import { type Entry, type Explanation, OutboxError, type PageOptions, type Pause } from 'sales-order-intake/outbox';
import { outboxPage } from 'sales-order-intake/outbox/page';
import { type ProblemName, relay, type RelayDecision, type ServiceResponse } from '#serve';
import { type HttpResponse, MAX_BODY_BYTES, problemDetails, type ProblemMembers } from '../http/http-response.js';
import type { HttpRequest } from '../http/http-server.js';
import { Evaluator } from './evaluator.js';
import { type Metrics, OPEN_METRICS } from './metrics.js';
import type { RelayStore } from './store.js';

import openapi from './openapi.json';

/** The longest wait of `Prefer: wait`, in seconds. */
const LONGEST_WAIT = 60;
/** The reference service's limit of all bodies together, in bytes received; here of responses that are not sent yet, too. */
const MOST_BYTES = 64 << 20;
/** The part of it that responses may have, so that there is room for orders. */
const MOST_RESPONSE_BYTES = 48 << 20;
/** The routes of requests that may have a body. */
const WITH_BODY: readonly Route[] = ['order', 'replace', 'evaluate', 'page'];

/** The response, and the data to count and log: names and Ids, no paths. */
export interface Served {
  /** `unknown` for a path that has no route, or that has no GUID in the place of the Id. */
  route: Route | 'unknown';
  orderId: Guid | null;
  response: HttpResponse;
}

/** The bodies that are being read have no room for another piece. */
class OutOfMemory extends Error {}

type Route = RelayDecision['route'];

interface RelayParts {
  outbox: RelayStore['outbox'];
  metrics: Metrics;
  /** The token that senders need; undefined if they need none. */
  clientToken: string | undefined;
  /** Resolves with the reason why no order can be stored, or with null. */
  storeFailure(): Promise<string | null>;
  /** Returns why deliveries are held back now; null if none are. */
  pause(): HeldBack | null;
}

/** Why deliveries are held back: to a location, or all of them, with null for both numbers. */
export interface HeldBack extends Pause, Explanation {
  companyId: number | null;
  entityId: number | null;
}

/** HTTP in front of an outbox. Knows what a request means, and nothing about the rules of orders. */
export class Relay {
  readonly #parts: RelayParts;
  readonly #page: ReturnType<typeof outboxPage>;
  readonly #evaluator = new Evaluator();
  /** Those of bodies and of responses. */
  #bytes = 0;
  #responseBytes = 0;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    // A request without the token was refused before it reaches the page.
    this.#page = outboxPage({ outbox: parts.outbox, authorize: () => true, title: 'Orders of the relay' });
  }

  async respond(request: HttpRequest): Promise<Served> {
    let bytes = 0;
    const count = (more: number) => {
      if (this.#bytes + more > MOST_BYTES) throw new OutOfMemory();
      bytes += more;
      this.#bytes += more;
    };
    try {
      // The body of a sender without the token is not read.
      const head = this.#judge(request);
      const hasBody = WITH_BODY.includes(head.route) && head.response === null;
      const body = hasBody ? await request.body(count) : new Uint8Array();
      const decision = hasBody ? this.#judge(request, body) : head;
      const { route, orderId } = decision;
      const response = decision.response ?? (await this.#handle(decision, body, request).catch(refusalOf));
      const counted = this.#counted(response, route, request);
      return { route: route === 'order' && orderId === null ? 'unknown' : route, orderId, response: counted };
    } catch (error) {
      if (!(error instanceof OutOfMemory)) throw error;
      return { route: 'order', orderId: null, response: unavailable() };
    } finally {
      this.#bytes -= bytes;
    }
  }

  /** Counts a response until it is sent. If there is no room for it, and the request has changed nothing, it is refused. */
  #counted(response: HttpResponse, route: Route, { method, ended }: HttpRequest): HttpResponse {
    const bytes = Buffer.byteLength(response.body);
    const isRepeatable = method === 'GET' || route === 'evaluate';
    if (isRepeatable && this.#responseBytes + bytes > MOST_RESPONSE_BYTES) return unavailable();
    const count = (more: number) => {
      this.#bytes += more;
      this.#responseBytes += more;
    };
    count(bytes);
    void ended.then(() => count(-bytes));
    return response;
  }

  #judge({ method, path, headers }: HttpRequest, body?: Uint8Array): RelayDecision {
    const { clientToken: token = null } = this.#parts;
    return relay({ method, path, headers, token, maxBodyBytes: MAX_BODY_BYTES, now: Date.now() }, body);
  }

  async #handle(decision: RelayDecision, body: Uint8Array, request: HttpRequest): Promise<HttpResponse> {
    const { route, orderId, order, evaluation } = decision;
    if (route === 'orders') return this.#list(request.query);
    if (route === 'page') return this.#operate(request, body);
    if (route === 'metrics') return this.#metrics();
    if (route === 'ready') return this.#ready();
    if (route === 'openapi') return json(200, described());
    if (evaluation) return this.#evaluate(evaluation, request.signal);
    if (orderId === null) return notFound();
    if (route === 'retry' || route === 'cancel') return json(200, stateOf(await this.#parts.outbox[route](orderId)));
    if (!order) return this.#state(orderId, request);
    const text = Buffer.from(body).toString();
    if (route === 'replace') return this.#replace(orderId, text);
    return this.#accept(prepareRequest(text, { version: order.version, orderId }), conflict);
  }

  async #evaluate(evaluation: NonNullable<RelayDecision['evaluation']>, signal: AbortSignal): Promise<HttpResponse> {
    const result = await this.#evaluator.evaluate(evaluation, signal);
    if (result === null) return unavailable();
    if ('problem' in result) return problemDetails('invalid-body', result.problem);
    return { status: 200, headers: [...JSON_HEADERS], body: result.body };
  }

  /** Replaces an order that the service does not have with a corrected one (D54). */
  async #replace(orderId: Guid, text: string): Promise<HttpResponse> {
    const { outbox } = this.#parts;
    const entry = await outbox.get(orderId);
    if (!entry) return notFound();
    const request = prepareRequest(text, { version: entry.version, orderId });
    try {
      const { state, issues } = await outbox.replace(request);
      return json(202, { orderId, state, issues }, locationOf(orderId));
    } catch (error) {
      if (!isWrongState(error)) throw error;
      // If the same request was sent before, its order is stored.
      return this.#accept(request, () => refusalOf(error));
    }
  }

  /**
   * Responds once the order is durable; repeats the service's final response to one that it has created or refused (D26, D27).
   * `conflictWith` returns the response if another order has its Id.
   */
  async #accept(request: PreparedRequest, conflictWith: (entry: Entry) => HttpResponse): Promise<HttpResponse> {
    const { outbox } = this.#parts;
    const added = await outbox.add(request).catch((error: unknown) => {
      if (error instanceof OutboxError && error.reason === 'duplicate') return null;
      throw error;
    });
    const { orderId } = request;
    const location = locationOf(orderId);
    if (added?.isNew) return json(202, { orderId, state: added.state, issues: added.issues }, location);
    const entry = await outbox.get(orderId);
    // The entry was deleted meanwhile: the next PUT adds it again.
    if (!entry) return unavailable();
    if (!added) return conflictWith(entry);
    if (entry.state === 'refused') return refusal(entry);
    if (entry.state === 'stalled' || entry.state === 'cancelled') return ended(entry, entry.state);
    if (entry.state === 'created' && !entry.order) return { status: 204, headers: [location], body: '' };
    return json(200, entry.order ?? stateOf(entry), location);
  }

  async #state(orderId: string, { header, signal }: HttpRequest): Promise<HttpResponse> {
    const { outbox } = this.#parts;
    const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[;,]|$)/i.exec(header('prefer')) ?? [];
    const wait = Math.min(Number(seconds ?? 0), LONGEST_WAIT);
    // It rejects if the relay stops: then the response is the current state.
    if (wait > 0) await outbox.settled(orderId, { timeoutMs: wait * 1000, signal }).catch(() => null);
    const entry = await outbox.get(orderId);
    if (!entry) return notFound();
    return json(200, stateOf(entry), ...(seconds ? [['preference-applied', `wait=${wait}`] as const] : []));
  }

  async #list(query: string): Promise<HttpResponse> {
    const { entries, next } = await this.#parts.outbox.page(pageOf(new URLSearchParams(query)));
    // A list is for people who look for an order, so it has no personal data.
    const orders = entries.map(({ detail: _1, issues: _2, ...state }) => state);
    return json(200, { orders, next });
  }

  /** Responds with the page of operators. */
  async #operate({ method, query, headers, header }: HttpRequest, body: Uint8Array): Promise<HttpResponse> {
    // A form must be of the site that the browser asked.
    const origin = `http://${header('host')}`;
    const url = `${URL.canParse(origin) ? origin : 'http://localhost'}/?${query}`;
    const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
    const request = new Request(url, method === 'POST' ? { ...init, body: body.slice() } : init);
    const response = await this.#page(request);
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  }

  async #ready(): Promise<HttpResponse> {
    const { storeFailure, pause } = this.#parts;
    const failure = await storeFailure();
    if (failure !== null) return problemDetails('unavailable', `No order can be stored: ${failure}.`);
    const held = pause();
    // Orders are accepted while the service is down; that is what the relay is for.
    return held ? json(200, { status: 'ready', pause: held }) : { status: 204, headers: [], body: '' };
  }

  async #metrics(): Promise<HttpResponse> {
    const { metrics, outbox, pause } = this.#parts;
    const body = metrics.text(await outbox.counts(), pause());
    return { status: 200, headers: [['content-type', OPEN_METRICS]], body };
  }
}

/** Returns the OpenAPI document, with the package's own schema of an order. */
function described(): object {
  const { jsonSchema } = salesOrderSchema()['~standard'];
  const { $schema: _1, $id: _2, ...schema } = jsonSchema.input({ target: 'draft-2020-12' });
  const SalesOrder = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/SalesOrder/$defs/'),
  );
  const { components } = openapi;
  return { ...openapi, components: { ...components, schemas: { ...components.schemas, SalesOrder } } };
}

const NO_STORE = ['cache-control', 'no-store'] as const;
const JSON_HEADERS = [['content-type', 'application/json'], NO_STORE] as const;

function json(status: number, value: object, ...headers: ServiceResponse['headers']): HttpResponse {
  return { status, headers: [...JSON_HEADERS, ...headers], body: JSON.stringify(value) };
}

const notFound = () => problemDetails('not-found', 'No order has this Id.');
const unavailable = () => problemDetails('unavailable', 'Send it again.', [['retry-after', '1']]);

const isWrongState = (error: unknown) => error instanceof OutboxError && error.reason === 'wrong-state';

/** Returns the response to an error of the outbox. */
function refusalOf(error: unknown): HttpResponse {
  if (error instanceof OptionError)
    return problemDetails('invalid-query', error.message.replace(/^option \/(state)?s?/, '$1'));
  if (!(error instanceof OutboxError)) throw error;
  if (error.reason === 'not-found') return notFound();
  if (error.reason !== 'wrong-state' || !error.entry) return unavailable();
  return problemOf('wrong-state', error.message, error.entry);
}

/** Returns a problem with the state of an order. */
function problemOf(name: ProblemName, detail: string, entry: Entry, members: ProblemMembers = {}): HttpResponse {
  const { orderId, state, outcome, reason } = entry;
  return problemDetails(name, detail, [locationOf(orderId), NO_STORE], { ...members, orderId, state, outcome, reason });
}

const locationOf = (orderId: Guid) => ['location', `/orders/${orderId}`] as const;

/** Statuses 4xx that say nothing about the order: the outbox never settles an order as refused by one. */
const NOT_OF_THE_ORDER: readonly number[] = [401, 408, 429];

/** Repeats the service's refusal, with status, reason and issues, because the request comes from the sender of the order. */
function refusal(entry: Entry): HttpResponse {
  const { reason, status, detail, issues } = entry;
  const isRepeated = status !== null && status >= 400 && status < 500 && !NOT_OF_THE_ORDER.includes(status);
  const errors = issues.map(({ pointer, code, message, params }) => ({ pointer, code, detail: message, params }));
  const ownReason =
    reason === 'OrderValidationError'
      ? 'The order was valid when it was accepted, and is not by the rules of this version.'
      : 'The service has refused the order, without a reason.';
  return problemOf('refused', detail ?? ownReason, entry, {
    status: isRepeated ? status : undefined,
    ...(errors.length > 0 ? { errors } : {}),
  });
}

/** Returns the response to an order if another one has its Id: it may be a correction of that one, or another sale. */
function conflict(entry: Entry): HttpResponse {
  const { orderId, outcome, can } = entry;
  const [known, next] = can.replace
    ? ['The service does not have that one.', `If this one corrects it, send it to PUT /orders/${orderId}.`]
    : outcome === 'created'
      ? ['The service has created that one.', 'If this one corrects it, correct it at the point of sale.']
      : ['The service may have that one, or gets it now.', 'If this one corrects it, wait until its outcome is known.'];
  const detail = `Another order with this Id has the state ${entry.state}; it was not changed. ${known} ${next} If this one is another sale, give it an Id of its own.`;
  return problemOf('conflict', detail, entry, { can });
}

/** Returns the response for an order that is not sent any more, which says how to continue. */
function ended(entry: Entry, name: 'stalled' | 'cancelled'): HttpResponse {
  const { orderId, outcome, body } = entry;
  const isUnknown = outcome === 'unknown';
  const known = isUnknown ? 'It may have been created: do not send it with a new Id.' : 'It was not created.';
  const next =
    name === 'cancelled'
      ? 'If it is wanted nevertheless, send it with a new Id.'
      : body === null
        ? 'Its content has been deleted, so it cannot be sent again.'
        : `POST /orders/${orderId}/retry sends it once more, with the same Id.`;
  const detail = `The relay does not send this order any more. ${known} ${next}`;
  return problemOf(name, detail, entry);
}

/** Returns the state of an order, without the body, which the sender has. */
const stateOf = ({ body: _, ...state }: Entry): object => state;

/** Reads the parameters of the OpenAPI document; the outbox checks the values. */
function pageOf(query: URLSearchParams): PageOptions {
  const known = openapi.paths['/orders'].get.parameters.map(({ name }) => name);
  const wrong = (name: string, problem: string) => new OptionError(problem, `/${name}`);
  for (const name of query.keys()) {
    if (!known.includes(name)) throw wrong(name, `The parameters are ${known.join(', ')}`);
    if (name !== 'state' && query.getAll(name).length > 1) throw wrong(name, `${name} can be given once`);
  }
  const value = (name: string) => query.get(name) ?? undefined;
  const number = (name: string) => {
    const digits = value(name);
    if (!/^\d{1,15}$/.test(digits ?? '0')) throw wrong(name, `${name} must be a whole number`);
    return digits === undefined ? undefined : Number(digits);
  };
  const time = (name: string) => {
    const text = value(name);
    const date = new Date(text ?? 0);
    if (Number.isNaN(date.getTime())) throw wrong(name, `${name} must be a time such as 2026-11-25T08:00:00Z`);
    return text === undefined ? undefined : date;
  };
  const states = query.getAll('state').flatMap((list) => list.split(','));
  return {
    states: states.length > 0 ? (states as PageOptions['states']) : undefined,
    reason: value('reason') as PageOptions['reason'],
    companyId: number('companyId'),
    entityId: number('entityId'),
    since: time('since'),
    before: time('before'),
    after: value('after'),
    limit: number('limit'),
  };
}
