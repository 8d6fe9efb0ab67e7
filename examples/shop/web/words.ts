/** The page's words, amounts and messages in both languages. */
import { createContext, useContext } from 'react';
import type { Issue } from 'sales-order-intake';
import type { Language } from '../shared/shop.ts';
import de from './words/de.json';
import en from './words/en.json';

const WORDS: Record<Language, typeof en> = { en, de };
export const LanguageContext = createContext<Language>('en');

export function useWords() {
  const language = useContext(LanguageContext);
  const words = WORDS[language];
  const format = new Intl.NumberFormat(words.locale, { style: 'currency', currency: 'CAD' });
  // format() takes exact digits: an amount never becomes a binary number.
  const money = (amount?: string | null) => (amount == null ? words.unknown : format.format(amount as `${number}`));
  return { language, words, money, messageOf: messageOf.bind(null, words.issues) };
}

/** Returns our message for the code of an issue, or another one if we have none. */
function messageOf(messages: Record<string, string>, { code, params = {} }: Pick<Issue, 'code' | 'params'>): string {
  return fill(messages[code] ?? messages.other ?? code, params);
}

/** Puts values into a sentence: "at most {limit} decimals". */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
