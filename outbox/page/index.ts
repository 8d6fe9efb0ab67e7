/**
 * The page for operators, as a handler from Request to Response.
 *
 * @module
 */
import { OptionError, OrderValidationError, parseGuid, prepareRequest } from 'sales-order-intake';
import { check, checkFunction, checkNames, checkObject } from '../../pkg-template/src/options/check.js';
import type { PlatformType } from '../../pkg-template/src/platform/platform.js';
import type { Entry } from '../entry.js';
import { OutboxError, type OutboxErrorReason } from '../errors.js';
import type { ListFilter } from '../options.js';
import type { EntryReason } from '../reason.js';
import type { EntryState } from '../store.js';
import type { EntryPage, Outbox } from '../types.js';
import { edited, withItem, type Draft } from './correction.js';
import { entryView } from './entry-view.js';
import { html, href, type Content } from './html.js';
import { jsonText, parseJson, type Json } from './json.js';
import { languageOf, type Language } from './language.js';
import { AGES, filterIn, listView, MOST_COUNTED } from './list-view.js';
import { problemView } from './parts.js';
import STYLE from './style.css';

/** Options of {@link outboxPage}. */
export interface OutboxPageOptions {
  /** The outbox of this process. It need not deliver: the page shows the pauses of the process that does. */
  outbox: Outbox;
  /**
   * Returns true if the sender of this request may see the page, which shows personal data; or the name of the sender, of which
   * the history of an order then has up to 200 characters for each change. Otherwise the response is a 401, for which browsers ask
   * for a user name and a password (Basic authentication). For another login, redirect such requests before they reach the page.
   */
  authorize(request: PlatformType<'Request'>): boolean | string | Promise<boolean | string>;
  /**
   * Whether orders may be sent again, corrected, cancelled and forgotten here. If false, the page has no forms for it, and refuses them.
   * @default true
   */
  canChange?: boolean | undefined;
  /**
   * The heading.
   * @default 'Orders'
   */
  title?: string | undefined;
  /**
   * The time zone of all times, for example `Europe/Berlin`.
   * @default that of the process
   */
  timeZone?: string | undefined;
  /**
   * The language of the texts, and how times and numbers are written: German for `de` and its variants such as `de-AT`, English for
   * all others. Messages of issues are in English.
   * @default 'en'
   */
  locale?: string | undefined;
}

/** The bytes of a form: a corrected order of a megabyte, escaped. */
const MOST_BYTES = 4 << 20;
/** The number of changes that are told once to whoever made them. */
const MOST_NEWS = 100;
/** The most characters that a history takes. */
const LONGEST_NAME = 200;
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
const STATUSES: { [Reason in OutboxErrorReason]?: number } = { 'not-found': 404, 'wrong-state': 409 };

/**
 * Returns the page of an outbox, to be mounted at any path of a server that has Request and Response: which orders wait, why and
 * since when, what was refused or has stalled, and what happened to each. An operator can send them again, correct, cancel and forget
 * them. The page works without JavaScript. A form of another site changes nothing: a browser says which site a form is of.
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
  checkNames('', Object.keys(options), ['outbox', 'authorize', 'canChange', 'title', 'timeZone', 'locale']);
  const { outbox, authorize, canChange = true, title, timeZone, locale = 'en' } = options;
  check('/outbox', typeof outbox?.page === 'function', 'an outbox, as createOutbox returns it');
  check('/authorize', authorize !== undefined, 'given: the page shows personal data');
  checkFunction('/authorize', authorize);
  check('/canChange', typeof canChange === 'boolean', 'true or false');
  check('/title', title === undefined || typeof title === 'string', 'a string');
  const language = languageOf(locale, timeZone);
  const page = new Page({ outbox, authorize, canChange, title: title ?? language.texts.title, language });
  return (request) => page.respond(request);
}

interface Settings extends Required<Pick<OutboxPageOptions, 'outbox' | 'authorize'>> {
  canChange: boolean;
  title: string;
  language: Language;
}

/** A response to a form that shows the view which the form is in. */
interface Shown {
  status: number;
  /** Why a change was not made. */
  problem: string | null;
  /** The corrected order; absent if the form had none. */
  draft?: Draft | null;
}

class Page {
  readonly #settings: Settings;
  /** The latest views to which a change has led. Anybody can write a link to one, which must not say that a change was made. */
  readonly #news = new Set<string>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async respond(request: Request): Promise<Response> {
    const { method } = request;
    const { authorize, language } = this.#settings;
    const { texts } = language;
    const allowed = await authorize(request);
    const by = typeof allowed === 'string' && allowed !== '' ? nameOf(allowed) : undefined;
    if (allowed !== true && by === undefined) return this.#problem(401, texts.signIn, CHALLENGE);
    if (!METHODS.includes(method)) return this.#problem(405, texts.noMethod, { Allow: METHODS.join() });
    try {
      const response = await (method === 'POST' ? this.#change(request, by) : this.#show(request, by));
      return method === 'HEAD' ? new Response(null, response) : response;
    } catch (error) {
      if (!(error instanceof OutboxError)) throw error;
      return this.#problem(503, error.message);
    }
  }

  async #show(
    request: Request,
    by: string | undefined,
    shown: Shown = { status: 200, problem: null },
  ): Promise<Response> {
    const { outbox, title, canChange, language } = this.#settings;
    const { search, searchParams } = new URL(request.url);
    const isNews = this.#news.delete(search);
    const view = { title, language, by, canChange, problem: shown.problem };
    const orderId = searchParams.get('order')?.trim();
    if (orderId !== undefined) {
      const [entry, history] = await Promise.all([outbox.get(orderId), outbox.history(orderId)]);
      if (!entry) return this.#problem(404, `${language.texts.noOrder} ${orderId}`);
      const done = isNews ? searchParams.get('done') : null;
      const hasContents = searchParams.has('contents');
      const isCorrected = searchParams.has('correct') && entry.can.replace;
      const given = shown.draft ?? (isCorrected ? draftOf(entry) : null);
      const draft = given && { ...given, from: given.from ?? (await digestOf(entry)) };
      return this.#page(shown.status, entryView({ ...view, entry, history, hasContents, done, draft }));
    }
    const retried = isNews ? searchParams.get('retried') : null;
    const counts = await outbox.counts();
    // Without a filter, it reads no further entries.
    const { entries: latest } = await outbox.page({ limit: MOST_COUNTED });
    const list = { ...view, parameters: searchParams, retried, counts, latest };
    try {
      const found = await this.#find(searchParams);
      if (typeof found === 'string') return redirect(found);
      const again = /^[1-9]\d{1,3}$/.exec(searchParams.get('refresh') ?? '');
      return this.#page(shown.status, listView({ ...list, page: found }), again ? { Refresh: again[0] } : {});
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      const problem = `${language.texts.wrongFilter} ${messageOf(error)}`;
      return this.#page(400, listView({ ...list, page: { entries: [], next: null }, problem }));
    }
  }

  /** Returns the entries that the parameters select, or the address of the entry whose Id they have. */
  async #find(parameters: URLSearchParams): Promise<EntryPage | string> {
    const { outbox } = this.#settings;
    const { q, sort } = filterIn(parameters);
    const id = parseGuid(q);
    if (id && (await outbox.get(id))) return href({ order: id });
    const after = parameters.get('after') || undefined;
    const found = await outbox.page({ ...filterOf(parameters), newestFirst: sort !== 'oldest', after });
    // It may be a number of the shop, or of a receipt of the point of sale.
    if (q === '' || after !== undefined) return found;
    const { entries } = await outbox.page({ receiptNumber: q });
    const isNew = ({ orderId }: { orderId: string }) => !entries.some((entry) => entry.orderId === orderId);
    return { ...found, entries: [...entries, ...found.entries.filter(isNew)] };
  }

  async #change(request: Request, by: string | undefined): Promise<Response> {
    const { canChange, language } = this.#settings;
    const { texts } = language;
    if (!canChange) return this.#problem(403, texts.readOnly);
    if (!isOfThisSite(request)) return this.#problem(403, texts.otherSite);
    const fields = await formOf(request);
    if (fields === 413) return this.#problem(413, texts.tooLarge);
    if (fields === 415) return this.#problem(415, texts.noForm);
    const { searchParams } = new URL(request.url);
    const action = fields.get('action') ?? '';
    const orderId = searchParams.get('order');
    if (orderId === null && action !== 'retryAll') return this.#problem(400, texts.noAction);
    const given = parseJson(fields.get('order') ?? '');
    const order = given && edited(given, fields, language.decimal);
    const draft = order && { order: action === 'add' ? withItem(order) : order, issues: [], from: fields.get('from') };
    if (action === 'check' || action === 'add') return this.#show(request, by, { status: 200, problem: null, draft });
    if (action === 'replace' && draft?.from) {
      const entry = await this.#settings.outbox.get(orderId ?? '');
      if (entry?.can.replace && draft.from !== (await digestOf(entry))) {
        const problem = texts.correctedMeanwhile;
        return this.#show(request, by, { status: 409, problem, draft: { ...draft, from: null } });
      }
    }
    try {
      const location = await this.#made(action, orderId, searchParams, order, by);
      if (location === null) return this.#problem(400, texts.noAction);
      this.#news.add(location);
      for (const oldest of this.#news) if (this.#news.size > MOST_NEWS) this.#news.delete(oldest);
      return redirect(location);
    } catch (error) {
      const problem = this.#problemOf(error);
      return this.#show(request, by, { ...problem, draft: action === 'replace' ? draft : null });
    }
  }

  /** Makes a change, and returns the address of the view that shows it; null if there is no such change. */
  async #made(
    action: string,
    orderId: string | null,
    parameters: URLSearchParams,
    order: Json | null,
    by: string | undefined,
  ): Promise<string | null> {
    const { outbox } = this.#settings;
    if (orderId === null) {
      const retried = await outbox.retryAll(filterOf(parameters), { by });
      return href({ ...filterIn(parameters), retried: String(retried) });
    }
    if (action === 'retry' || action === 'cancel' || action === 'forget') await outbox[action](orderId, { by });
    else if (action === 'replace') {
      const version = (await outbox.get(orderId))?.version ?? 'v3';
      // The text itself, so that no digit of an amount is lost.
      await outbox.replace(prepareRequest(order ? jsonText(order) : '', { version, orderId }), { by });
    } else return null;
    return href({ order: orderId, done: action });
  }

  /** Returns why a change was not made. */
  #problemOf(error: unknown): { status: number; problem: string } {
    const { texts } = this.#settings.language;
    if (error instanceof OrderValidationError) return { status: 422, problem: texts.hasErrors };
    if (error instanceof OptionError) return { status: 400, problem: `${texts.wrongFilter} ${messageOf(error)}` };
    if (!(error instanceof OutboxError)) throw error;
    const status = STATUSES[error.reason] ?? 503;
    return { status, problem: error.entry ? `${texts.wrongState} ${texts.states[error.entry.state]}` : error.message };
  }

  #problem(status: number, problem: string, headers: Record<string, string> = {}): Response {
    return this.#page(status, problemView(this.#settings.title, problem), headers);
  }

  #page(status: number, body: Content, headers: Record<string, string> = {}): Response {
    const { title, language } = this.#settings;
    const nonce = crypto.randomUUID();
    const { text: head } = html`<!doctype html><html lang="${language.tag}"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width"><title>${title}</title><style nonce="${nonce}">`;
    const { text } = html`<body>${body}</body></html>`;
    // Not a value of the template: it is our own text, and needs no escapes.
    return new Response(`${head}${STYLE}</style></head>${text}`, {
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

/** Returns the part of a name that a history can have. */
function nameOf(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cs}]/gu, ' ');
  return [...line].slice(0, LONGEST_NAME).join('');
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, Location: location } });
}

/** Returns false if a browser reports that the form is of another site. Only browsers can be made to send a forged request. */
function isOfThisSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  // `none`: the user has asked for it, not a page.
  if (site !== null) return ['same-origin', 'none'].includes(site);
  const origin = headers.get('origin');
  if (origin === null) return true;
  // Behind a proxy with TLS, only the protocol differs. The address of a request in Next has the host `localhost`, whatever its own.
  const hosts = [new URL(url).host, headers.get('host')];
  return URL.canParse(origin) && hosts.includes(new URL(origin).host);
}

/** Returns the filter that the parameters name; the outbox checks the values. */
function filterOf(parameters: URLSearchParams): Omit<ListFilter, 'contents'> {
  const { q, state, reason, location, age } = filterIn(parameters);
  const [, companyId, entityId] = /^(\d{1,10})\/(\d{1,10})$/.exec(location) ?? [];
  check('/location', location === '' || entityId !== undefined, 'CompanyId/EntityId, such as 1000/2000');
  check('/age', age === '' || Object.hasOwn(AGES, age), `one of ${Object.keys(AGES).join(', ')}`);
  const limit = AGES[age];
  return {
    reference: q || undefined,
    states: state.length > 0 ? (state as EntryState[]) : undefined,
    reason: (reason as EntryReason) || undefined,
    companyId: companyId === undefined ? undefined : Number(companyId),
    entityId: entityId === undefined ? undefined : Number(entityId),
    ...(limit && { [limit.limit]: Date.now() - limit.ms }),
  };
}

/** Returns the order as it was given, to be corrected. Nothing is left of a forgotten one but its Id. */
function draftOf({ orderId, body, state, issues }: Entry): Draft | null {
  const order = parseJson(body ?? JSON.stringify({ Id: orderId, Items: [{}] }));
  // Issues of an invalid order are those of the package, which the form finds by itself.
  return order && { order, issues: state === 'invalid' ? [] : issues, from: null };
}

/** Returns a digest of the order, so that a form recognises one that was corrected since. */
async function digestOf({ body }: Entry): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body ?? ''));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
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

/** The options that can be wrong here are parameters of the address. */
function messageOf({ message }: OptionError): string {
  return message.replace('option /', '');
}
