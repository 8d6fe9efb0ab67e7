import { type Guid, OptionError, OrderValidationError, prepareRequest, type Version } from 'sales-order-intake';
import type { PreparedRequestInput } from 'sales-order-intake/client';
import {
  type AddOptions,
  type Entry,
  type Explanation,
  OutboxError,
  type Pause,
  type ReplaceOptions,
} from 'sales-order-intake/outbox';
import { outboxPage } from 'sales-order-intake/outbox/page';
import { relay, type RelayDecision } from '#serve';
import { type HttpResponse, MAX_BODY_BYTES, problemDetails } from '../http/http-response.js';
import type { HttpRequest } from '../http/http-server.js';
import { Evaluator } from './evaluator.js';
import { Memory, OutOfMemory } from './memory.js';
import { type Metrics, OPEN_METRICS } from './metrics.js';
import { described, pageOf } from './openapi.js';
import {
  conflict,
  ended,
  isWrongState,
  JSON_HEADERS,
  json,
  locationOf,
  notFound,
  refusal,
  refusalOf,
  stateOf,
  unavailable,
} from './responses.js';
import type { RelayStore } from './store.js';

/** The longest wait of `Prefer: wait`, in seconds. */
const LONGEST_WAIT = 60;
/** The routes of requests that may have a body. */
const WITH_BODY: readonly Route[] = ['order', 'replace', 'evaluate', 'page'];

/** The response, and the data to count and log: names and Ids, no paths. */
export interface Served {
  /** `unknown` for a path that has no route, or that has no GUID in the place of the Id. */
  route: Route | 'unknown';
  orderId: Guid | null;
  /** The shop's own name for the order: only logged if the operator wants that (D67). */
  reference?: string | undefined;
  response: HttpResponse;
}

type Route = RelayDecision['route'];

interface RelayParts {
  outbox: RelayStore['outbox'];
  metrics: Metrics;
  /** The token that senders need; undefined if they need none. */
  clientToken: string | undefined;
  /** Whether invalid orders are stored, too (D65). */
  keepsInvalid: boolean;
  /** Resolves with the reason why no order can be stored, or with null. */
  storeFailure(): Promise<string | null>;
  /** Returns why deliveries are held back now; null if none are. */
  pause(): HeldBack | null;
  /** Returns why no orders are posted to the shop now; null if they are. */
  notifyPause(): string | null;
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
  readonly #memory = new Memory();

  constructor(parts: RelayParts) {
    this.#parts = parts;
    // A request without the token was refused before it reaches the page.
    const authorize = ({ headers }: Request) => {
      const user = userOf(headers.get('authorization') ?? '');
      // The history must not have the token of those who give it as both.
      return user === undefined || user === parts.clientToken || user;
    };
    this.#page = outboxPage({ outbox: parts.outbox, authorize, title: 'Orders of the relay' });
  }

  async respond(request: HttpRequest): Promise<Served> {
    const bodies = this.#memory.ofBody();
    try {
      // The body of a sender without the token is not read.
      const head = this.#judge(request);
      const hasBody = WITH_BODY.includes(head.route) && head.response === null;
      const body = hasBody ? await request.body(bodies.take) : new Uint8Array();
      const decision = hasBody ? this.#judge(request, body) : head;
      const { route, orderId, order } = decision;
      const refused = order && this.#parts.keepsInvalid ? null : decision.response;
      const response =
        refused ?? (await this.#handle(decision, body, request).catch((error) => refusalOf(error, route === 'orders')));
      // A request that has changed nothing can be repeated.
      const isRepeatable = request.method === 'GET' || route === 'evaluate';
      const hasRoom = this.#memory.takeResponse(response.body, request.ended, isRepeatable);
      return {
        route: route === 'order' && orderId === null ? 'unknown' : route,
        orderId,
        reference: order && request.header('x-order-reference'),
        response: hasRoom ? response : unavailable(),
      };
    } catch (error) {
      if (!(error instanceof OutOfMemory)) throw error;
      return { route: 'order', orderId: null, response: unavailable() };
    } finally {
      bodies.release();
    }
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
    if (route === 'history') return this.#history(orderId);
    const by = textOf(request, 'x-order-by');
    if (route === 'retry' || route === 'cancel')
      return json(200, stateOf(await this.#parts.outbox[route](orderId, { by })));
    if (!order) return this.#state(orderId, request);
    const version = route === 'replace' ? (await this.#parts.outbox.get(orderId))?.version : order.version;
    if (!version) return notFound();
    const text = Buffer.from(body).toString();
    const invalid = decision.response;
    const reference = textOf(request, 'x-order-reference');
    const [input, options] = invalid
      ? [asItIs(text, version, orderId), { ...KEEP, reference }]
      : [prepareRequest(text, { version, orderId }), { reference }];
    try {
      return await (route === 'replace'
        ? this.#replace(input, { ...options, by })
        : this.#accept(input, options, conflict));
    } catch (error) {
      // It has no Id, or is no JSON.
      if (!invalid || !(error instanceof OrderValidationError)) throw error;
      return invalid;
    }
  }

  async #history(orderId: Guid): Promise<HttpResponse> {
    const events = await this.#parts.outbox.history(orderId);
    return events.length > 0 ? json(200, { orderId, events }) : notFound();
  }

  async #evaluate(evaluation: NonNullable<RelayDecision['evaluation']>, signal: AbortSignal): Promise<HttpResponse> {
    const result = await this.#evaluator.evaluate(evaluation, signal);
    if (result === null) return unavailable();
    if ('problem' in result) return problemDetails('invalid-body', result.problem);
    return { status: 200, headers: [...JSON_HEADERS], body: result.body };
  }

  /** Replaces an order that the service does not have with a corrected one (D54). */
  async #replace(request: PreparedRequestInput, { by, ...options }: ReplaceOptions): Promise<HttpResponse> {
    try {
      const { orderId, state, issues } = await this.#parts.outbox.replace(request, { ...options, by });
      return json(202, { orderId, state, issues }, locationOf(orderId));
    } catch (error) {
      if (!isWrongState(error)) throw error;
      // If the same request was sent before, its order is stored.
      return this.#accept(request, options, () => refusalOf(error));
    }
  }

  /**
   * Responds once the order is durable; repeats the service's final response to one that it has created or refused (D26, D27).
   * `conflictWith` returns the response if another order has its Id.
   */
  async #accept(
    request: PreparedRequestInput,
    options: AddOptions,
    conflictWith: (entry: Entry) => HttpResponse,
  ): Promise<HttpResponse> {
    const { outbox } = this.#parts;
    const added = await outbox.add(request, options).catch((error: unknown) => {
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
    if (entry.state === 'invalid') return json(202, { orderId, state: entry.state, issues: entry.issues }, location);
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
    const { metrics, outbox, pause, notifyPause } = this.#parts;
    const body = metrics.text(await outbox.counts(), pause(), notifyPause());
    return { status: 200, headers: [['content-type', OPEN_METRICS]], body };
  }
}

/** Stores an order that the rules of `prepareRequest` refuse, by the same rules. */
const KEEP = { invalid: 'keep', allowEmptyTaxes: false, records: 'strict' } as const;

/** Returns the request for an order that can't be prepared. */
function asItIs(body: string, version: Version, orderId: Guid): PreparedRequestInput {
  return { method: 'PUT', version, orderId, path: `${version}/ServiceOrder(${orderId})`, body };
}

/** Returns the text of a header: ASCII, or as RFC 8187 writes other characters. */
function textOf({ header }: HttpRequest, name: string): string | undefined {
  const text = header(name);
  const [, encoded] = /^UTF-8'[^']*'(.*)$/i.exec(text) ?? [];
  try {
    if (/^[ -~]*$/.test(text)) return (encoded === undefined ? text : decodeURIComponent(encoded)) || undefined;
  } catch {
    // Reported below.
  }
  throw new OptionError(`${name} must be ASCII, or such as UTF-8''Caf%C3%A9 (RFC 8187)`, '');
}

/** Returns the user name that a browser sends with the password, if the history can have it. */
function userOf(authorization: string): string | undefined {
  const [, encoded = ''] = /^Basic (.*)$/i.exec(authorization) ?? [];
  const [user = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  return /^\P{Cc}{1,200}$/u.test(user) ? user : undefined;
}
