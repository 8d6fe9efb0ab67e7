import { check, memberOf, readOption, wrongOption } from '../../pkg-template/src/options/check.js';
import type { HeadersContext } from './options.js';

/** Headers that have been checked, or a function of the program that returns them. */
export type HeaderSource = Record<string, string> | ((attempt: HeadersContext) => Readonly<Record<string, string>>);

/** The headers that the client (D39) or the platform sets, in lower case. Those of a connection can't be sent by fetch. */
const RESERVED =
  /^(authorization|accept|content-(type|length)|host|expect|te|trailer|transfer-encoding|upgrade|keep-alive|(proxy-)?connection)$/;

/**
 * Returns the headers of an attempt; the later sources win.
 *
 * @throws the error of a function; OptionError if it returns headers that are wrong.
 */
export function headersOf(sources: readonly HeaderSource[], attempt: HeadersContext): Record<string, string> {
  return Object.assign(
    {},
    ...sources.map((source) => (typeof source === 'function' ? checkHeaders(source({ ...attempt })) : source)),
  );
}

/**
 * Checks headers and returns them with lower-case names, so that a name in another case is not a second header.
 *
 * @throws OptionError if a header is reserved or not valid. Its message never shows the value.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  // A Headers or a Map would add nothing: its entries are not members of the object.
  check('/headers', Object.prototype.toString.call(headers) === '[object Object]', 'an object of names and values');
  const entries = readOption('/headers', () => Object.entries(headers));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const lower = name.toLowerCase();
      if (RESERVED.test(lower))
        throw wrongOption(memberOf('/headers', name), 'cannot be set: the client or fetch sets it');
      try {
        if (typeof value === 'string') return [lower, new Headers([[name, value]]).get(name) as string];
      } catch {
        // Reported below.
      }
      throw wrongOption(memberOf('/headers', name), 'is not a valid header');
    }),
  );
}
