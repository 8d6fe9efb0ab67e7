import { checkObject, wrongOption } from './option-error.js';

/** Set by the client (D39) or by the platform. */
const RESERVED = ['authorization', 'accept', 'content-type', 'host', 'content-length'];

/**
 * Checks headers and returns them with lower-case names, so that a name in another case is no second header.
 *
 * @throws OptionError if a header is reserved or not valid. Its message never shows the value.
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  checkObject('/headers', headers);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      const option = `/headers/${name}`;
      if (RESERVED.includes(lower)) throw wrongOption(option, 'cannot be set: every request has it already');
      if (typeof value !== 'string' || !isHeader(name, value)) throw wrongOption(option, 'is not a valid header');
      return [lower, value];
    }),
  );
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
