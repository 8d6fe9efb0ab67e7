import type { EntrySummary } from '../entry.js';
import type { Pause } from '../options.js';
import type { EntryState } from '../store.js';
import type { EntryPage, LocationCounts, OutboxCounts } from '../types.js';
import { html, href, type Content, type Markup } from './html.js';
import type { Language } from './language.js';
import { alert, confirmed, explanationOf, locationLink, notice, STATES, type View } from './parts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The choices of the filter by age: the member of the outbox's filter that each sets. */
export const AGES: Readonly<Record<string, { limit: 'since' | 'before'; ms: number }>> = {
  hour: { limit: 'since', ms: HOUR_MS },
  day: { limit: 'since', ms: DAY_MS },
  week: { limit: 'since', ms: 7 * DAY_MS },
  'over-hour': { limit: 'before', ms: HOUR_MS },
  'over-day': { limit: 'before', ms: DAY_MS },
  'over-week': { limit: 'before', ms: 7 * DAY_MS },
};
/** Locations that are shown: those with most orders that need a person, and then those with most that wait. */
const MOST_LOCATIONS = 20;
export const MOST_COUNTED = 500;
const COLUMNS = 24;

/** Returns the filter in the parameters of an address, as it was typed. */
export function filterIn(parameters: URLSearchParams) {
  const text = (name: string) => parameters.get(name)?.trim() ?? '';
  const state = parameters.getAll('state').filter((value) => value !== '');
  return {
    q: text('q'),
    state,
    reason: text('reason'),
    location: text('location'),
    age: text('age'),
    sort: text('sort'),
  };
}

export interface ListView extends View {
  /** Those of the address. */
  parameters: URLSearchParams;
  /** The number of orders that were sent again; null if none were. */
  retried: string | null;
  counts: OutboxCounts;
  page: EntryPage;
  /** The latest orders, at most {@link MOST_COUNTED}: those of the last 24 hours are counted. */
  latest: readonly EntrySummary[];
}

export function listView(view: ListView): Markup {
  const { title, by, language, parameters, retried, counts, page, latest, canChange, problem } = view;
  const { texts, duration } = language;
  const filter = filterIn(parameters);
  const { q, state: states, reason, location, age, sort } = filter;
  const isFiltered = [q, ...states, reason, location, age].some((value) => value !== '');
  const { oldestWaitingMs } = counts;
  const stateLink = (state: EntryState) => html`<li>
    <a href="${href({ state })}" aria-current="${states.join() === state && 'true'}">
      ${texts.states[state]} <strong>${counts[state]}</strong></a></li>`;
  const oldest = href({ state: ['waiting', 'sending'], sort: 'oldest' });
  return html`<header class="list"><div><h1>${title}</h1>
      ${by && html`<p class="soft">${texts.signedInAs} <bdi>${by}</bdi></p>`}</div>
      <form class="search" method="get" role="search">
        <label>${texts.search}
          <input name="q" type="search" value="${q}" maxlength="100" required autocomplete="off" spellcheck="false"></label>
        <button>${texts.find}</button>
      </form></header><main>
    ${problem && alert(problem)}
    ${retried && notice(`${texts.retried} ${retried}`)}
    <nav aria-label="${texts.stateLinks}"><ul class="counts">${STATES.map(stateLink)}</ul></nav>
    <div class="pager soft">
      ${oldestWaitingMs !== null && html`<a href="${oldest}">${`${texts.oldestWaits} ${duration(oldestWaitingMs)}`}</a>`}
      ${refreshLinks(parameters, language)}
    </div>
    ${pausesOf(counts, language)}
    <div class="sides">${chart(latest, language)} ${locationTable(counts.locations, language)}</div>
    <section class="card"><h2>${isFiltered ? texts.matching : texts.allOrders},
      ${sort === 'oldest' ? texts.oldestFirst : texts.newestFirst}</h2>
      ${page.entries.length === 0 && html`<p>${texts.none}</p>`}
      <ol class="entries">${page.entries.map((entry) => row(entry, counts, language))}</ol>
      <div class="pager">
        ${isFiltered && html`<a href="${href({})}">${texts.allOrders}</a>`}
        ${parameters.has('after') && html`<a href="${href(filter)}">${texts.first}</a>`}
        ${page.next && html`<a rel="next" href="${href({ ...filter, after: page.next })}">${texts.more}</a>`}
        ${canChange && !q && page.entries.some(({ can }) => can.retry) && confirmed('retryAll', texts.retryAll, texts.aboutRetryAll)}
      </div>
    </section>
    <section class="card"><h2>${texts.filter}</h2>
      <form class="filter" method="get">
        ${select('state', texts.state, texts.any, texts.states, states[0])}
        ${select('reason', texts.reason, texts.any, Object.keys(texts.reasons), reason)}
        ${select('age', texts.age, texts.anyTime, texts.ages, age)}
        <label>${texts.locationFilter}
          <input name="location" value="${location}" pattern="[0-9]+/[0-9]+" placeholder="1000/2000"></label>
        ${select('sort', texts.order, texts.newestFirst, { oldest: texts.oldestFirst }, sort)}
        <button>${texts.find}</button>
      </form>
    </section>
  </main>`;
}

function refreshLinks(parameters: URLSearchParams, { texts }: Language): Markup {
  const others = filterIn(parameters);
  const isAlways = parameters.has('refresh');
  const always = isAlways ? href(others) : href({ ...others, refresh: '30' });
  return html`<a href="${href({ ...others, refresh: parameters.get('refresh') ?? '' })}">${texts.refresh}</a>
    <a href="${always}">${isAlways ? texts.refreshNever : texts.refreshAlways}</a>`;
}

function row(entry: EntrySummary, { isPaused, locations }: OutboxCounts, language: Language): Markup {
  const { orderId, reference, receiptNumber, companyId, entityId, state, attempts, addedAt, nextAttemptAt } = entry;
  const { texts, fromNow } = language;
  const isHere = (each: LocationCounts) => each.companyId === companyId && each.entityId === entityId;
  const isHeld = isPaused || locations.some((each) => each.isPaused && isHere(each));
  const { meaning } = explanationOf(entry, language) ?? {};
  const isDue = nextAttemptAt !== null && nextAttemptAt.getTime() <= Date.now();
  return html`<li>
    <p><span class="state ${state}">${texts.states[state]}</span>
      <a href="${href({ order: orderId })}">${reference !== null && html`<bdi class="reference">${reference}</bdi> `}<code>${orderId}</code></a></p>
    ${meaning && html`<p>${meaning}</p>`}
    <p class="soft">${texts.location} ${locationLink(entry)}, ${texts.added} ${fromNow(addedAt)},
      ${texts.attempts}: ${attempts}${nextAttemptAt && html` (${isHeld ? texts.paused : html`${texts.next}: ${isDue ? texts.now : fromNow(nextAttemptAt)}`})`}${
        receiptNumber !== null && `, ${texts.receipt} ${receiptNumber}`
      }</p>
  </li>`;
}

function pausesOf({ pause, locations }: OutboxCounts, language: Language): Content {
  const { texts } = language;
  if (pause) return pauseView(texts.allPaused, pause, language);
  const views = locations.map(
    (each) => each.pause && pauseView(html`${texts.locationPaused}: ${locationLink(each)}`, each.pause, language),
  );
  return views.filter((view) => view).slice(0, MOST_LOCATIONS);
}

function pauseView(heading: Content, pause: Pause, { texts, time }: Language): Markup {
  const { cause, since, status, mediaType, failure } = pause;
  const signs = [failure, status && `${texts.status} ${status}`, mediaType].filter((sign) => sign);
  return html`<section class="card alert"><h2>${heading}</h2>
    <p>${texts.causes[cause]?.meaning} ${texts.causes[cause]?.remedy}</p>
    <p class="soft">${texts.since} ${time(since)}${signs.length > 0 && `: ${signs.join(', ')}`}</p>
  </section>`;
}

/** Shows what became of the latest orders: a column for each part of the time in which they were added. */
function chart(latest: readonly EntrySummary[], { texts, fromNow }: Language): Markup {
  const now = Date.now();
  const added = latest.filter(({ addedAt }) => addedAt.getTime() > now - DAY_MS);
  const isWhole = added.length < MOST_COUNTED;
  const from = isWhole ? now - DAY_MS : Math.min(now - 1, ...added.map(({ addedAt }) => addedAt.getTime()));
  const columns = Array.from({ length: COLUMNS }, (): EntryState[] => []);
  for (const { addedAt, state } of added) {
    const column = Math.floor(((addedAt.getTime() - from) / (now - from)) * COLUMNS);
    columns[Math.min(column, COLUMNS - 1)]?.push(state);
  }
  const highest = Math.max(1, ...columns.map(({ length }) => length));
  const bars = columns.map((states, column) => {
    let top = 60;
    return [...STATES].reverse().map((state) => {
      const height = (60 * states.filter((one) => one === state).length) / highest;
      top -= height;
      const rect = html`<rect class="${state}" x="${column * 10 + 1}" y="${top}" width="8" height="${height}"/>`;
      return height > 0 && rect;
    });
  });
  const counted = STATES.map((state) => ({ state, count: added.filter((entry) => entry.state === state).length }));
  const shown = counted.filter(({ count }) => count > 0);
  const entry = ({ state, count }: (typeof counted)[number]) =>
    html`<li class="${state}">${texts.states[state]} <strong>${count}</strong></li>`;
  return html`<section class="card"><h2>${isWhole ? texts.lastDay : `${texts.latest} ${added.length}`}</h2>
    <svg viewBox="0 0 240 60" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
    <p class="axis soft"><span>${fromNow(new Date(from))}</span><span>${texts.now}</span></p>
    ${shown.length > 0 ? html`<ul class="legend">${shown.map(entry)}</ul>` : html`<p>${texts.none}</p>`}</section>`;
}

function locationTable(locations: readonly LocationCounts[], language: Language): Content {
  if (locations.length === 0) return null;
  const { texts, duration } = language;
  const states = ['invalid', 'stalled', 'refused', 'waiting'] as const;
  const troubles = ({ invalid, stalled, refused }: LocationCounts) => invalid + stalled + refused;
  const sorted = [...locations].sort((one, other) => troubles(other) - troubles(one) || other.waiting - one.waiting);
  const row = (each: LocationCounts) => {
    const { companyId, entityId, oldestWaitingMs, isPaused } = each;
    const isKnown = companyId !== null && entityId !== null;
    const cell = (state: (typeof states)[number]) => {
      const count = each[state];
      const filter = {
        location: `${companyId}/${entityId}`,
        state: state === 'waiting' ? ['waiting', 'sending'] : state,
      };
      return html`<td>${isKnown && count > 0 ? html`<a href="${href(filter)}">${count}</a>` : count}</td>`;
    };
    return html`<tr><th scope="row">${locationLink(each)}${isKnown && isPaused && html` <em>${texts.paused}</em>`}</th>
      ${states.map(cell)}<td>${oldestWaitingMs === null ? '–' : duration(oldestWaitingMs)}</td></tr>`;
  };
  const rest = sorted.length - MOST_LOCATIONS;
  return html`<section class="card"><h2 id="locations">${texts.locations}</h2>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="locations"><table>
      <thead><tr><th scope="col">${texts.location}</th>
        ${states.map((state) => html`<th scope="col">${texts.states[state]}</th>`)}
        <th scope="col">${texts.oldest}</th></tr></thead>
      <tbody>${sorted.slice(0, MOST_LOCATIONS).map(row)}</tbody></table></div>
    ${rest > 0 && html`<p class="soft">${texts.moreLocations} ${rest}</p>`}</section>`;
}

/** Returns a choice of values, each with its label. */
function select(
  name: string,
  label: string,
  any: string,
  values: readonly string[] | Record<string, unknown>,
  chosen = '',
): Markup {
  const labels = Array.isArray(values) ? values.map((value) => [value, value]) : Object.entries(values);
  const option = ([value, text]: [string, string]) => html`
    <option value="${value}"${value === chosen && html` selected`}>${text}</option>`;
  return html`<label>${label}
    <select name="${name}"><option value="">${any}</option>${(labels as [string, string][]).map(option)}</select></label>`;
}
