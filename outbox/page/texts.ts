import { type EntryReason, type Explanation, entryReasons, pauseCauses } from '../reason.js';
import type { Pause } from '../options.js';
import german from './de.json';
import english from './en.json';

/** The texts of the page. A language without one of them, or without a reason or a cause, does not compile. */
export interface Texts extends Readonly<typeof english> {
  readonly reasons: Readonly<Record<EntryReason, Readonly<Explanation>>>;
  readonly causes: Readonly<Record<Pause['cause'], Readonly<Explanation>>>;
}

export const TEXTS: Readonly<Record<'en' | 'de', Texts>> = {
  en: { ...english, reasons: entryReasons, causes: pauseCauses },
  de: german,
};
