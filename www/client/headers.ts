import { check, memberOf, readOption, wrongOption } from '../options/check.js';

/** The headers that the client (D39) or the platform sets. */
const RESERVED = ['authorization', 'accept', 'content-type', 'host', 'content-length'];

/**
 * Checks headers and returns them with lower-case names, so that a name in another case is not a second header.
 *
 * @throws OptionError if a header is reserved or not valid. Its message never shows the value.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  // A Headers or a Map has no members of its own: it would add none.
  check('/headers', Object.prototype.toString.call(headers) === '[object Object]', 'an object of names and values');
  const entries = readOption('/headers', () => Object.entries(headers));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const lower = name.toLowerCase();
      if (RESERVED.includes(lower))
        throw wrongOption(memberOf('/headers', name), 'cannot be set: every request has it already');
      try {
        if (typeof value === 'string') return [lower, new Headers([[name, value]]).get(name) as string];
      } catch {
        // Reported below.
      }
      throw wrongOption(memberOf('/headers', name), 'is not a valid header');
    }),
  );
}
