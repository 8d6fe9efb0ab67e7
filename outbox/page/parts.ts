/** Parts of both views. */
import type { EntrySummary } from '../entry.js';
import type { Explanation } from '../reason.js';
import type { EntryState } from '../store.js';
import { html, href, type Markup } from './html.js';
import type { Language } from './language.js';

/** The states that need a person come first. */
export const STATES: readonly EntryState[] = [
  ...(['invalid', 'stalled', 'refused', 'waiting', 'sending', 'created', 'cancelled'] as const),
];

export interface View {
  title: string;
  language: Language;
  /** The name of whoever asks, if it is known. */
  by: string | undefined;
  canChange: boolean;
  /** Why a change was not made, or the filter is wrong. */
  problem: string | null;
}

/** Returns null if the reason no longer matters, or is one of a later version. */
export function explanationOf({ state, reason }: EntrySummary, { texts }: Language): Readonly<Explanation> | null {
  if (state === 'invalid') return texts.invalid;
  if (reason === null || state === 'created' || state === 'cancelled') return null;
  return texts.reasons[reason] ?? null;
}

/** Returns a link to the orders of a location; only its name if an invalid order lacks a part of it. */
export function locationLink({ companyId, entityId }: Pick<EntrySummary, 'companyId' | 'entityId'>): Markup {
  const location = `${companyId ?? '?'}/${entityId ?? '?'}`;
  return location.includes('?') ? html`${location}` : html`<a href="${href({ location })}">${location}</a>`;
}

export const alert = (text: string) => html`<p class="card alert" role="alert">${text}</p>`;
export const notice = (text: string) => html`<p class="card done" role="status">${text}</p>`;

export function form(action: string, label: string): Markup {
  return html`<form method="post"><button name="action" value="${action}">${label}</button></form>`;
}

/** A change that needs a second click. */
export function confirmed(action: string, label: string, about: string): Markup {
  return html`<details><summary>${label}…</summary><p>${about}</p>${form(action, label)}</details>`;
}

/** Returns a page that only states a problem. */
export function problemView(title: string, problem: string): Markup {
  return html`<main><h1>${problem}</h1><p><a href="${href({})}">${title}</a></p></main>`;
}
