import type { Issue } from 'sales-order-intake';
import { indented } from './indented-json.js';
import type { Entry, EntrySummary } from '../entry.js';
import type { Pause } from '../options.js';
import { entryReasons, pauseCauses, type Explanation } from '../reason.js';
import type { EntryOutcome, EntryState } from '../store.js';
import type { EntryPage, OutboxCounts } from '../types.js';
import { duration, fromNow, href, html, time, type Content, type Markup } from './html.js';

/** The states that need a person come first. */
export const STATES: readonly EntryState[] = [
  'stalled',
  'refused',
  'invalid',
  'waiting',
  'sending',
  'created',
  'cancelled',
];
const HOUR_MS = 3_600_000;
/** The choices of the filter by age: the label, and the member of the outbox's filter that each sets. */
export const AGES: Readonly<Record<string, { label: string; limit: 'since' | 'before'; ms: number }>> = {
  hour: { label: 'In the last hour', limit: 'since', ms: HOUR_MS },
  day: { label: 'In the last 24 hours', limit: 'since', ms: 24 * HOUR_MS },
  week: { label: 'In the last 7 days', limit: 'since', ms: 168 * HOUR_MS },
  'over-hour': { label: 'More than an hour ago', limit: 'before', ms: HOUR_MS },
  'over-day': { label: 'More than 24 hours ago', limit: 'before', ms: 24 * HOUR_MS },
  'over-week': { label: 'More than 7 days ago', limit: 'before', ms: 168 * HOUR_MS },
};
const OUTCOMES: Record<EntryOutcome, string> = {
  created: 'The service has the order.',
  'not-created': 'The service does not have the order.',
  unknown: 'The service may or may not have the order: do not send it with a new Id.',
};
/** The message about the action that was just taken, by the parameter `done` of the page that follows it. */
const DONE: Readonly<Record<string, string>> = {
  retry: 'The order is sent again, with the same Id and the same contents.',
  replace: 'The corrected order has replaced the earlier one, and is sent.',
  cancel: 'The order was withdrawn.',
  forget: 'The personal data of the order was deleted.',
};
/** Locations with a pause of their own that are shown. */
const MOST_LOCATIONS = 20;

/** Returns the filter in the parameters of an address, as it was typed. */
export function filterIn(parameters: URLSearchParams) {
  const text = (name: string) => parameters.get(name) ?? '';
  const state = parameters.getAll('state').filter((value) => value !== '');
  return { state, reason: text('reason'), location: text('location'), age: text('age') };
}

/** The parts of both views. */
interface View {
  title: string;
  /** The token of forms; null if nothing may be changed. */
  token: string | null;
  /** Why a change was not made, or the filter is wrong. */
  problem: string | null;
}

export interface ListView extends View {
  /** Those of the address. */
  parameters: URLSearchParams;
  /** The number of orders that were sent again; null if none were. */
  retried: string | null;
  counts: OutboxCounts;
  page: EntryPage;
}

export function listView({ title, parameters, retried, counts, page, token, problem }: ListView): Markup {
  const filter = filterIn(parameters);
  const { state: states, reason, location, age } = filter;
  const isFiltered = Object.values(filter).some((value) => value.length > 0);
  const { oldestWaitingMs } = counts;
  const stateLink = (state: EntryState) => html`<li>
    <a href="${href({ state })}" aria-current="${states.join() === state && 'true'}">
      ${state} <strong>${counts[state]}</strong></a></li>`;
  return html`<header><h1>${title}</h1></header><main>
    ${problem && alert(problem)}
    ${retried && notice(`Orders that are sent again: ${retried}.`)}
    <nav aria-label="States"><ul class="counts">${STATES.map(stateLink)}</ul></nav>
    <p class="soft">${oldestWaitingMs !== null && `The oldest order has waited for ${duration(oldestWaitingMs)}.`}</p>
    ${pausesOf(counts)}
    <section class="card"><h2>${isFiltered ? 'Orders that match' : 'All orders'}, newest first</h2>
      ${page.entries.length === 0 && html`<p>There are none.</p>`}
      <ol class="entries">${page.entries.map(row)}</ol>
      <div class="pager">
        ${isFiltered && html`<a href="${href({})}">All orders</a>`}
        ${parameters.has('after') && html`<a href="${href(filter)}">Newest</a>`}
        ${page.next && html`<a rel="next" href="${href({ ...filter, after: page.next })}">Older</a>`}
        ${token && page.entries.some(({ can }) => can.retry) && retryAll(token)}
      </div>
    </section>
    <section class="card"><h2>Find orders</h2>
      <form class="filter" method="get">
        ${select('state', 'State', 'any', STATES, states[0])}
        ${select('reason', 'Reason', 'any', Object.keys(entryReasons), reason)}
        ${select('age', 'Added or settled', 'at any time', Object.keys(AGES), age)}
        <label>Location (CompanyId/EntityId)
          <input name="location" value="${location}" pattern="[0-9]+/[0-9]+" placeholder="1000/2000"></label>
        <button>Find</button>
      </form>
      <form class="filter" method="get">
        <label>Id of an order<input name="order" required autocomplete="off" spellcheck="false"></label>
        <button>Open</button>
      </form>
    </section>
  </main>`;
}

function row(entry: EntrySummary): Markup {
  const { orderId, state, companyId, entityId, attempts, addedAt, nextAttemptAt } = entry;
  const isDue = nextAttemptAt !== null && nextAttemptAt.getTime() <= Date.now();
  return html`<li>
    <p><span class="state ${state}">${state}</span>
      <a href="${href({ order: orderId })}"><code>${orderId}</code></a></p>
    <p>${explanationOf(entry)?.meaning}</p>
    <p class="soft">Location ${companyId}/${entityId}, added ${fromNow(addedAt)}, attempts: ${attempts}
      ${nextAttemptAt && html`(next: ${isDue ? 'now' : fromNow(nextAttemptAt)})`}</p>
  </li>`;
}

/** Returns null if the reason no longer matters, or is one of a later version. */
function explanationOf({ state, reason }: EntrySummary): Readonly<Explanation> | null {
  if (reason === null || state === 'created' || state === 'cancelled') return null;
  return entryReasons[reason] ?? null;
}

function pausesOf({ pause, locations }: OutboxCounts): Content {
  if (pause) return pauseView('All deliveries are paused', pause);
  const views = locations.map(
    (each) => each.pause && pauseView(html`Deliveries to location ${locationLink(each)} are paused`, each.pause),
  );
  return views.filter((view) => view).slice(0, MOST_LOCATIONS);
}

function locationLink({ companyId, entityId }: Pick<EntrySummary, 'companyId' | 'entityId'>): Markup {
  const location = `${companyId ?? '?'}/${entityId ?? '?'}`;
  if (location.includes('?')) return html`${location}`;
  return html`<a href="${href({ location })}">${location}</a>`;
}

function pauseView(heading: Content, { cause, since, status, mediaType, failure }: Pause): Markup {
  const signs = [failure, status && `status ${status}`, mediaType].filter((sign) => sign);
  return html`<section class="card alert"><h2>${heading}</h2>
    <p>${pauseCauses[cause]?.meaning} ${pauseCauses[cause]?.remedy}</p>
    <p class="soft">Since ${time(since)}${signs.length > 0 && `: ${signs.join(', ')}`}</p>
  </section>`;
}

export interface EntryView extends View {
  entry: Entry;
  /** Whether the contents were asked for. */
  hasContents: boolean;
  /** The action that was just taken; null if none was. */
  done: string | null;
  /** A corrected order that was not accepted, and why. */
  draft: { text: string; issues: readonly Issue[] } | null;
}

export function entryView({ title, entry, token, hasContents, done, problem, draft }: EntryView): Markup {
  const { orderId, state, outcome, issues, detail, alreadyThere } = entry;
  const { meaning, remedy } = explanationOf(entry) ?? {};
  return html`<header><p><a href="${href({})}">${title}</a></p>
    <h1><span class="state ${state}">${state}</span> <code>${orderId}</code></h1></header><main>
    ${problem && alert(problem)}
    ${done && Object.hasOwn(DONE, done) && notice(DONE[done] ?? '')}
    <section class="card">
      ${meaning && html`<p>${meaning}</p><p><strong>What to do:</strong> ${remedy}</p>`}
      <p>${OUTCOMES[outcome]}</p>
      ${alreadyThere && html`<p>The service had an equal order with this Id before: two sales may share it.</p>`}
      ${detail && html`<p>Details:</p><blockquote>${detail}</blockquote>`}
      ${issueList(issues)}
    </section>
    <div class="sides">${history(entry)} ${contents(entry, hasContents)}</div>
    ${token && Object.values(entry.can).includes(true) && actions(entry, token, hasContents, draft)}
  </main>`;
}

function history(entry: Entry): Markup {
  const { version, attempts, status, requestId, reason } = entry;
  const { addedAt, nextAttemptAt, deadlineAt, settledAt } = entry;
  const facts: Record<string, Content> = {
    Location: locationLink(entry),
    Version: version,
    Added: html`${time(addedAt)}, ${fromNow(addedAt)}`,
    Attempts: attempts,
    'Last reason': reason,
    'Last status': status,
    'Request id': requestId,
    'Next attempt': nextAttemptAt && time(nextAttemptAt),
    Deadline: settledAt ? null : time(deadlineAt),
    Settled: settledAt && html`${time(settledAt)}, ${fromNow(settledAt)}`,
  };
  const shown = Object.entries(facts).filter(([, value]) => value !== null);
  return html`<section class="card"><h2>History</h2>
    <dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

function contents({ orderId, body, order }: Entry, isShown: boolean): Markup {
  const link = html`<a href="${href({ order: orderId, contents: 'shown' })}">Show the contents</a>`;
  return html`<section class="card"><h2>Contents</h2>
    ${!isShown && html`<p>They are personal data.</p><p>${link}</p>`}
    ${isShown && (body === null ? html`<p>They were deleted.</p>` : json('The order', indented(body)))}
    ${isShown && order && json('The order that the service returned', JSON.stringify(order, null, 2))}
  </section>`;
}

function json(label: string, text: string): Markup {
  return html`<h3>${label}</h3><pre tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}

function actions(entry: Entry, token: string, hasContents: boolean, draft: EntryView['draft']): Markup {
  const { orderId, state, body, can } = entry;
  const correctLink = html`<p><a href="${href({ order: orderId, contents: 'shown' })}">Correct the order</a></p>`;
  return html`<section class="card"><h2>Actions</h2><div class="actions">
    ${can.retry && form(token, 'retry', state === 'waiting' ? 'Send now' : 'Send again')}
    ${can.cancel && confirmed(token, 'cancel', 'Withdraw the order', 'It is not sent, and stays here as cancelled.')}
    ${can.forget && confirmed(token, 'forget', 'Delete the contents', 'The Id and the state stay. It cannot be sent again.')}
    </div>${can.replace && (hasContents || draft || !body ? replaceForm(token, draft, body) : correctLink)}</section>`;
}

function replaceForm(token: string, draft: EntryView['draft'], body: string | null): Markup {
  return html`<form method="post"><h2>Correct the order</h2>
    ${issueList(draft?.issues ?? [])}
    <label>The corrected order in JSON, with the same Id<textarea name="order" spellcheck="false" required>
${draft?.text ?? indented(body ?? '')}</textarea></label>
    ${submit(token, 'replace', 'Replace and send')}</form>`;
}

function issueList(issues: readonly Issue[]): Content {
  const item = ({ severity, pointer, message, hint }: Issue) =>
    html`<li><strong>${severity}</strong> <code>${pointer}</code> ${message}${hint && `; ${hint}`}</li>`;
  return issues.length > 0 && html`<ul aria-label="Issues">${issues.map(item)}</ul>`;
}

function submit(token: string, action: string, label: string): Markup {
  return html`<input type="hidden" name="token" value="${token}">
    <button name="action" value="${action}">${label}</button>`;
}

function form(token: string, action: string, label: string): Markup {
  return html`<form method="post">${submit(token, action, label)}</form>`;
}

/** A change that needs a second click. */
function confirmed(token: string, action: string, label: string, about: string): Markup {
  return html`<details><summary>${label}…</summary><p>${about}</p>${form(token, action, label)}</details>`;
}

function retryAll(token: string): Markup {
  const about =
    'All that match and are stalled, refused or waiting, on other pages too, with the same Ids and contents.';
  return confirmed(token, 'retryAll', 'Send all again', about);
}

function select(name: string, label: string, any: string, values: readonly string[], chosen = ''): Markup {
  const option = (value: string) => html`
    <option value="${value}"${value === chosen && html` selected`}>${AGES[value]?.label ?? value}</option>`;
  return html`<label>${label}
    <select name="${name}"><option value="">${any}</option>${values.map(option)}</select></label>`;
}

const alert = (text: string) => html`<p class="card alert" role="alert">${text}</p>`;
const notice = (text: string) => html`<p class="card" role="status">${text}</p>`;

/** Returns a page that only states a problem. */
export function problemView(title: string, problem: string): Markup {
  return html`<main><h1>${problem}</h1><p><a href="${href({})}">${title}</a></p></main>`;
}
