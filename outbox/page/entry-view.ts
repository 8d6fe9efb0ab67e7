import type { Issue } from 'sales-order-intake';
import type { Entry } from '../entry.js';
import type { HistoryEvent } from '../history.js';
import type { EntryState } from '../store.js';
import { correction, placeOf, type Draft } from './correction.js';
import { html, href, type Content, type Markup } from './html.js';
import { indented } from './json.js';
import type { Language } from './language.js';
import { alert, confirmed, explanationOf, form, locationLink, notice, type View } from './parts.js';

export interface EntryView extends View {
  entry: Entry;
  history: readonly HistoryEvent[];
  /** Whether the contents were asked for. */
  hasContents: boolean;
  /** The action that was just taken; null if none was. */
  done: string | null;
  /** The order in the form that corrects it; null if the form was not asked for. */
  draft: Draft | null;
}

export function entryView(view: EntryView): Markup {
  const { title, language, entry, history, hasContents, done, problem, draft, canChange } = view;
  const { orderId, reference, state, outcome, issues, detail, alreadyThere, can } = entry;
  const { texts } = language;
  const { meaning, remedy } = explanationOf(entry, language) ?? {};
  const doneTexts: Readonly<Record<string, string>> = texts.done;
  return html`<header><p><a href="${href({})}">${title}</a></p>
    <h1><span class="state ${state}">${texts.states[state]}</span> ${reference === null ? html`<code>${orderId}</code>` : html`<bdi>${reference}</bdi>`}</h1>
    ${reference !== null && html`<p><code>${orderId}</code></p>`}</header><main>
    ${problem && !draft && alert(problem)}
    ${done && Object.hasOwn(doneTexts, done) && notice(doneTexts[done] ?? '')}
    <section class="card">
      ${meaning && html`<p>${meaning}</p><p><strong>${texts.toDo}</strong> ${remedy}</p>`}
      <p>${texts.outcomes[outcome]}</p>
      ${alreadyThere && html`<p>${texts.alreadyThere}</p>`}
      ${detail && html`<p>${texts.details}</p><blockquote>${detail}</blockquote>`}
      ${!draft && issueList(issues, language)}
    </section>
    ${draft && canChange && correctionOf(entry, draft, problem, language)}
    <div class="sides">
      <div>${canChange && Object.values(can).includes(true) && actions(entry, draft !== null, language)}
        ${events(history, entry, language)}</div>
      ${facts(entry, language)}</div>
    ${contents(entry, hasContents, language)}
  </main>`;
}

/** Shows what happened, the first event first. */
function events(history: readonly HistoryEvent[], entry: Entry, language: Language): Markup {
  const { texts, time, duration } = language;
  const event = ({ at, what, by, status, failure, outcome, reason, durationMs }: HistoryEvent, index: number) => {
    const state = what === 'settled' ? stateAfter(history, index, entry) : null;
    const signs = [
      state && texts.states[state],
      (state === null || state === 'stalled') && outcome && texts.results[outcome],
      status && `${texts.status} ${status}`,
      failure,
      durationMs !== undefined && duration(durationMs),
    ];
    // An attempt that ends the delivery is followed by the same result.
    const isRepeated = what === 'settled' && history[index - 1]?.reason === reason;
    const explanation = reason && texts.reasons[reason]?.meaning;
    return html`<li class="${state ?? outcome ?? what}"><p>${time(at)}</p>
      <p><strong>${texts.events[what]}</strong>${by !== undefined && html` ${texts.by} <bdi>${by}</bdi>`}${signs
        .filter((sign) => sign)
        .map((sign, index) => `${index === 0 ? ': ' : ', '}${sign}`)}</p>
      ${!isRepeated && explanation && html`<p class="soft">${explanation}</p>`}</li>`;
  };
  return html`<section class="card"><h2>${texts.history}</h2><ol class="events">${history.map(event)}</ol></section>`;
}

/** Returns the state in which an event has settled the entry, which history does not have; null if it can't be told. */
function stateAfter(history: readonly HistoryEvent[], index: number, entry: Entry): EntryState | null {
  const { outcome, reason } = history[index] ?? {};
  const isLast = history.slice(index + 1).every(({ what }) => what === 'forget' || what === 'restored');
  if (isLast && entry.reason !== 'restored') return entry.state;
  if (outcome === 'created') return outcome;
  const { what, status = 0 } = history[index - 1] ?? {};
  if (what !== 'attempt' && reason === 'OrderValidationError') return 'invalid';
  if (outcome === 'unknown' || reason === 'Deadline') return 'stalled';
  if (what !== 'attempt') return null;
  // With 409 and this reason, it was stalled or cancelled by a relay.
  const isRefusal = status >= 400 && status < 500 && !(status === 409 && reason === 'RejectedError');
  return isRefusal ? 'refused' : null;
}

function facts(entry: Entry, language: Language): Markup {
  const { reference, receiptNumber, version, attempts, requestId } = entry;
  const { nextAttemptAt, deadlineAt, settledAt } = entry;
  const { texts, time } = language;
  const all: [name: string, value: Content][] = [
    [texts.reference, reference !== null && html`<bdi>${reference}</bdi>`],
    [texts.receipt, receiptNumber],
    [texts.location, locationLink(entry)],
    [texts.version, version],
    [texts.attempts, attempts],
    [texts.requestId, requestId],
    [texts.nextAttempt, nextAttemptAt && time(nextAttemptAt)],
    [texts.deadline, !settledAt && time(deadlineAt)],
  ];
  const shown = all.filter(([, value]) => value !== null && value !== false);
  return html`<section class="card"><h2>${texts.facts}</h2>
    <dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

function contents({ orderId, body, received }: Entry, isShown: boolean, { texts }: Language): Markup {
  const link = html`<a href="${href({ order: orderId, contents: 'shown' })}">${texts.showContents}</a>`;
  return html`<section class="card"><h2>${texts.contents}</h2>
    ${!isShown && html`<p>${texts.arePersonal}</p><p>${link}</p>`}
    ${isShown && body === null && html`<p>${texts.wereDeleted}</p>`}
    ${
      isShown &&
      html`<div class="sides">${body !== null && json(texts.theOrder, body)}
      ${received !== null && json(texts.theResponse, received)}</div>`
    }
  </section>`;
}

function json(label: string, text: string): Markup {
  return html`<div><h3>${label}</h3><pre tabindex="0" role="group" aria-label="${label}">${indented(text)}</pre></div>`;
}

function actions({ orderId, state, can }: Entry, isCorrected: boolean, { texts }: Language): Markup {
  const correct = href({ order: orderId, correct: 'shown' });
  return html`<section class="card"><h2>${texts.actions}</h2><div class="actions">
    ${can.retry && form('retry', state === 'waiting' ? texts.sendNow : texts.sendAgain)}
    ${can.replace && !isCorrected && html`<p><a class="button" href="${correct}">${texts.correct}</a></p>`}
    ${can.cancel && confirmed('cancel', texts.cancel, texts.aboutCancel)}
    ${can.forget && confirmed('forget', texts.forget, texts.aboutForget)}
    </div></section>`;
}

/** The button that changes nothing comes first: the Enter key presses it. */
function correctionOf(entry: Entry, draft: Draft, problem: string | null, language: Language): Markup {
  const { texts } = language;
  const action = `${href({ order: entry.orderId, correct: 'shown' })}#correct`;
  return html`<section class="card" id="correct"><h2>${texts.correct}</h2><form method="post" action="${action}">
    ${problem && alert(problem)}
    ${correction(draft, entry, language)}
    <div class="actions"><button name="action" value="check">${texts.check}</button>
      <button class="main" name="action" value="replace">${texts.sendCorrected}</button>
      <button name="action" value="add">${texts.addItem}</button></div></form></section>`;
}

function issueList(issues: readonly Issue[], { texts }: Language): Content {
  const item = ({ severity, path, message, hint }: Issue) =>
    html`<li class="issue ${severity}"><strong>${texts.severities[severity]}</strong>
      ${placeOf(path, texts)}: <bdi lang="en">${message}${hint && `; ${hint}`}</bdi></li>`;
  return issues.length > 0 && html`<ul aria-label="${texts.issues}">${issues.map(item)}</ul>`;
}
