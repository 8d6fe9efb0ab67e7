/**
 * The page for operators, as a handler from Request to Response.
 *
 * @module
 */
import { OptionError, OrderValidationError, prepareRequest, type Issue } from 'sales-order-intake';
import { check, checkFunction, checkNames, checkObject } from '../../pkg-template/src/options/check.js';
import type { PlatformType } from '../../pkg-template/src/platform/platform.js';
import { OutboxError, type OutboxErrorReason } from '../errors.js';
import type { ListFilter } from '../options.js';
import type { EntryReason } from '../reason.js';
import type { EntryState } from '../store.js';
import type { Outbox } from '../types.js';
import { FormTokens, isOfThisSite } from './forgery.js';
import { html, href, type Content } from './html.js';
import { STYLE } from './style.js';
import { AGES, entryView, filterIn, listView, problemView, type EntryView } from './views.js';

/** Options of {@link outboxPage}. */
export interface OutboxPageOptions {
  /** The outbox of this process. It need not deliver: the page shows the pauses of the process that does. */
  outbox: Outbox;
  /**
   * Returns true if the sender of this request may see the page, which shows personal data. Otherwise the response is a 401, for
   * which browsers ask for a user name and a password (Basic authentication). For another login, redirect such requests before
   * they reach the page.
   */
  authorize(request: PlatformType<'Request'>): boolean | Promise<boolean>;
  /**
   * Whether orders may be sent again, replaced, withdrawn and forgotten here. If false, the page has no forms for it, and refuses them.
   * @default true
   */
  canChange?: boolean | undefined;
  /**
   * The heading.
   * @default 'Orders'
   */
  title?: string | undefined;
}

/** The bytes of a form: a corrected order of a megabyte, escaped. */
const MOST_BYTES = 4 << 20;
/** The number of changes that are told once to whoever made them. */
const MOST_NEWS = 100;
const METHODS = ['GET', 'HEAD', 'POST'];
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Orders", charset="UTF-8"' };
const POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
const HEADERS = {
  'Cache-Control': 'no-store',
  // Without a referrer, browsers would not say which site a form is of.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
const EXPIRED = 'The form has expired, or another process has made it: nothing was changed. Try again.';
const STATUSES: { [Reason in OutboxErrorReason]?: number } = { 'not-found': 404, 'wrong-state': 409 };

/**
 * Returns the page of an outbox, to be mounted at any path of a server that has Request and Response: which orders wait, why and
 * since when, and what was refused or has stalled. An operator can send them again, replace, withdraw and forget them. The page works
 * without JavaScript. Forms have a token of the process that made them: with several processes, send a browser to the same one.
 *
 * @returns a handler. It rejects if `authorize` does.
 * @throws OptionError if an option is wrong.
 *
 * @example
 * ```js
 * import { createHash, timingSafeEqual } from 'node:crypto';
 * import { createClient } from 'sales-order-intake/client';
 * import { createOutbox } from 'sales-order-intake/outbox';
 * import { outboxPage } from 'sales-order-intake/outbox/page';
 * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
 *
 * const client = createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token' });
 * const outbox = createOutbox({ client, store: sqliteStore(':memory:') });
 * const expected = createHash('sha256').update(`Basic ${btoa('operator:secret')}`).digest();
 * const page = outboxPage({
 *   outbox,
 *   authorize({ headers }) {
 *     const given = createHash('sha256').update(headers.get('authorization') ?? '').digest();
 *     return timingSafeEqual(given, expected); // takes the same time for every password
 *   },
 * });
 * console.log((await page(new Request('https://shop.example.com/orders'))).status); // 401
 * await outbox.stop();
 * ```
 */
export function outboxPage(
  options: OutboxPageOptions,
): (request: PlatformType<'Request'>) => Promise<PlatformType<'Response'>> {
  checkObject('', options);
  checkNames('', Object.keys(options), ['outbox', 'authorize', 'canChange', 'title']);
  const { outbox, authorize, canChange = true, title = 'Orders' } = options;
  check('/outbox', typeof outbox?.page === 'function', 'an outbox, as createOutbox returns it');
  check('/authorize', authorize !== undefined, 'given: the page shows personal data');
  checkFunction('/authorize', authorize);
  check('/canChange', typeof canChange === 'boolean', 'true or false');
  check('/title', typeof title === 'string', 'a string');
  const page = new Page({ outbox, authorize, canChange, title });
  return (request) => page.respond(request);
}

type Settings = { [Name in keyof OutboxPageOptions]-?: Exclude<OutboxPageOptions[Name], undefined> };

/** Why a change was not made, for the view that its form is in. */
interface Refusal {
  status: number;
  problem: string;
  draft: EntryView['draft'];
}

class Page {
  readonly #settings: Settings;
  readonly #tokens = new FormTokens();
  /** The latest views to which a change has led. Anybody can write a link to one, which must not say that a change was made. */
  readonly #news = new Set<string>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async respond(request: Request): Promise<Response> {
    const { method } = request;
    if ((await this.#settings.authorize(request)) !== true)
      return this.#problem(401, 'Sign in to see this page', CHALLENGE);
    if (!METHODS.includes(method)) return this.#problem(405, `${method} is not possible`, { Allow: METHODS.join() });
    try {
      const response = await (method === 'POST' ? this.#change(request) : this.#show(request));
      return method === 'HEAD' ? new Response(null, response) : response;
    } catch (error) {
      if (!(error instanceof OutboxError)) throw error;
      return this.#problem(503, error.message);
    }
  }

  async #show(request: Request, refusal?: Refusal): Promise<Response> {
    const { outbox, title, canChange } = this.#settings;
    const { search, searchParams } = new URL(request.url);
    const isNews = this.#news.delete(search);
    const token = canChange ? await this.#tokens.tokenFor(request) : null;
    const { status = 200, problem = null, draft = null } = refusal ?? {};
    const orderId = searchParams.get('order')?.trim();
    if (orderId !== undefined) {
      const entry = await outbox.get(orderId);
      if (!entry) return this.#problem(404, `No order has the Id ${orderId}`);
      const done = isNews ? searchParams.get('done') : null;
      const hasContents = searchParams.has('contents');
      return this.#page(status, entryView({ title, entry, token, hasContents, done, problem, draft }));
    }
    const retried = isNews ? searchParams.get('retried') : null;
    const view = { title, token, parameters: searchParams, retried, counts: await outbox.counts() };
    try {
      const after = searchParams.get('after') || undefined;
      const page = await outbox.page({ ...filterOf(searchParams), after });
      return this.#page(status, listView({ ...view, page, problem }));
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      return this.#page(400, listView({ ...view, page: { entries: [], next: null }, problem: messageOf(error) }));
    }
  }

  async #change(request: Request): Promise<Response> {
    if (!this.#settings.canChange) return this.#problem(403, 'Orders cannot be changed here');
    if (!isOfThisSite(request)) return this.#problem(403, 'The form was sent by another site');
    const fields = await formOf(request);
    if (fields === 413) return this.#problem(413, 'The form is too large');
    if (fields === 415) return this.#problem(415, 'Only forms can be sent here');
    const isValid = await this.#tokens.isValid(request, fields.get('token') ?? '');
    if (!isValid) return this.#show(request, refused(403, EXPIRED, fields));
    try {
      const location = await this.#made(fields, new URL(request.url).searchParams);
      if (location === null) return this.#problem(400, 'There is no such action');
      this.#news.add(location);
      for (const oldest of this.#news) if (this.#news.size > MOST_NEWS) this.#news.delete(oldest);
      return new Response(null, { status: 303, headers: { ...HEADERS, Location: location } });
    } catch (error) {
      return this.#show(request, refusalOf(error, fields));
    }
  }

  /** Makes a change, and returns the address of the view that shows it; null if there is no such change. */
  async #made(fields: URLSearchParams, parameters: URLSearchParams): Promise<string | null> {
    const { outbox } = this.#settings;
    const action = fields.get('action');
    const order = parameters.get('order');
    if (order === null) {
      if (action !== 'retryAll') return null;
      const retried = await outbox.retryAll(filterOf(parameters));
      return href({ ...filterIn(parameters), retried: String(retried) });
    }
    if (action === 'retry' || action === 'cancel' || action === 'forget') await outbox[action](order);
    else if (action === 'replace') {
      const version = (await outbox.get(order))?.version ?? 'v3';
      // The text itself, so that no digit of an amount is lost.
      await outbox.replace(prepareRequest(fields.get('order') ?? '', { version, orderId: order }));
    } else return null;
    return href({ order, done: action });
  }

  #problem(status: number, problem: string, headers: Record<string, string> = {}): Response {
    return this.#page(status, problemView(this.#settings.title, problem), headers);
  }

  #page(status: number, content: Content, headers: Record<string, string> = {}): Response {
    const nonce = crypto.randomUUID();
    const { text: head } = html`<!doctype html><html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><title>${this.#settings.title}</title><style nonce="${nonce}">`;
    const { text: body } = html`<body>${content}</body></html>`;
    // Not a value of the template: it is our own text, and needs no escapes.
    return new Response(`${head}${STYLE}</style></head>${body}`, {
      status,
      headers: {
        ...HEADERS,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `${POLICY}; style-src 'nonce-${nonce}'`,
        ...headers,
      },
    });
  }
}

/** Returns the filter that the parameters name; the outbox checks the values. */
function filterOf(parameters: URLSearchParams): Omit<ListFilter, 'contents'> {
  const { state, reason, location, age } = filterIn(parameters);
  const [, companyId, entityId] = /^(\d{1,10})\/(\d{1,10})$/.exec(location.trim()) ?? [];
  check('/location', location === '' || entityId !== undefined, 'CompanyId/EntityId, such as 1000/2000');
  check('/age', age === '' || Object.hasOwn(AGES, age), `one of ${Object.keys(AGES).join(', ')}`);
  const limit = AGES[age];
  return {
    states: state.length > 0 ? (state as EntryState[]) : undefined,
    reason: (reason as EntryReason) || undefined,
    companyId: companyId === undefined ? undefined : Number(companyId),
    entityId: entityId === undefined ? undefined : Number(entityId),
    ...(limit && { [limit.limit]: Date.now() - limit.ms }),
  };
}

/** Reads a form. Returns the status of the response if the body is not a form or too large. */
async function formOf(request: Request): Promise<URLSearchParams | 413 | 415> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) return 415;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      return 413;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return new URLSearchParams(text);
}

function refusalOf(error: unknown, fields: URLSearchParams): Refusal {
  if (error instanceof OrderValidationError)
    return refused(422, 'The corrected order has errors: nothing was changed.', fields, error.issues);
  if (error instanceof OptionError) return refused(400, messageOf(error), fields);
  if (!(error instanceof OutboxError)) throw error;
  return refused(STATUSES[error.reason] ?? 503, error.message, fields);
}

/** Returns a refusal that shows a corrected order again, so that it need not be typed anew. */
function refused(status: number, problem: string, fields: URLSearchParams, issues: readonly Issue[] = []): Refusal {
  const text = fields.get('action') === 'replace' ? fields.get('order') : null;
  return { status, problem, draft: text === null ? null : { text, issues } };
}

/** The options that can be wrong here are parameters of the address. */
function messageOf({ message }: OptionError): string {
  return message.replace('option /', '');
}
