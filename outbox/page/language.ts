import { wrongOption } from '../../pkg-template/src/options/check.js';
import { html, type Content, type Markup } from './html.js';
import { TEXTS, type Texts } from './texts.js';

/** The language of the page, and how it writes times and numbers. */
export interface Language {
  /** For the attribute `lang`. */
  tag: 'en' | 'de';
  texts: Texts;
  /** The character before the fraction digits. */
  decimal: ',' | '.';
  /** Returns a time to the second, with the time zone. */
  time(date: Date): Markup;
  /** Returns how long ago a time was, or how long it takes until then. */
  fromNow(date: Date): Markup;
  /** Returns a duration in the largest unit that fits. */
  duration(ms: number): string;
  /** Returns a number, with all its fraction digits. */
  number(value: string | number): string;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** @throws OptionError if there is no such language tag or time zone. */
export function languageOf(locale: string, timeZone: string | undefined): Language {
  const tag = valid('/locale', 'a language tag, such as en or de-AT', () => new Intl.Locale(locale));
  const isGerman = tag.language === 'de';
  const texts = TEXTS[isGerman ? 'de' : 'en'];
  // Texts in English with the times of a third language would be neither.
  const used = isGerman || tag.language === 'en' ? locale : 'en';
  const times = valid('/timeZone', 'a time zone, such as Europe/Berlin', () => {
    return new Intl.DateTimeFormat(used, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  });
  const relative = new Intl.RelativeTimeFormat(used);
  const element = (date: Date, text: Content) => html`<time datetime="${date.toISOString()}">${text}</time>`;
  return {
    tag: isGerman ? 'de' : 'en',
    texts,
    // Switzerland writes a point in German, and South Africa a comma in English.
    decimal: new Intl.NumberFormat(used).format(1.5).includes(',') ? ',' : '.',
    time: (date) => element(date, times.format(date)),
    fromNow(date) {
      const ms = date.getTime() - Date.now();
      const [unit, size] = unitOf(ms);
      const value = Math.trunc(ms / size);
      return element(date, value === 0 ? texts.now : relative.format(value, unit));
    },
    duration(ms) {
      const [unit, size] = ms < 1000 ? (['millisecond', 1] as const) : unitOf(ms);
      const value = ms < 10_000 ? Math.trunc((10 * ms) / size) / 10 : Math.trunc(ms / size);
      return new Intl.NumberFormat(used, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
    },
    number(value) {
      const digits = Math.min(20, `${value}`.split('.')[1]?.length ?? 0);
      // A string is formatted with every digit; older types permit only numbers.
      return new Intl.NumberFormat(used, { minimumFractionDigits: digits }).format(value as number);
    },
  };
}

function unitOf(ms: number) {
  return UNITS.find(([, size]) => Math.abs(ms) >= 2 * size) ?? UNITS[3];
}

function valid<T>(option: string, expected: string, create: () => T): T {
  try {
    return create();
  } catch (cause) {
    throw wrongOption(option, `must be ${expected}`, cause);
  }
}
