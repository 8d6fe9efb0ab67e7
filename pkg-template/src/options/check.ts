import { OptionError } from '../errors.js';
import { unknownName } from '../similar-name.js';
import { LONGEST_TIMER_MS } from '../platform/platform.js';
import type { RetryBounds } from '../sending/waits.js';

/** Creates an error such as "option /retry/baseMs must be milliseconds". */
export function wrongOption(option: string, problem: string, cause?: unknown): OptionError {
  const subject = option === '' ? 'the options' : `option ${option}`;
  return new OptionError(`${subject} ${problem}`, option, cause === undefined ? undefined : { cause });
}

export function check(option: string, isValid: boolean, expected: string): void {
  if (!isValid) throw wrongOption(option, `must be ${expected}`);
}

export function checkFunction(option: string, value: unknown): void {
  check(option, value === undefined || typeof value === 'function', 'a function');
}

export function checkObject(option: string, value: unknown): asserts value is object {
  check(option, typeof value === 'object' && value !== null && !Array.isArray(value), 'an object');
}

export function checkCount(option: string, value: unknown, least = 1): void {
  check(option, Number.isSafeInteger(value) && (value as number) >= least, `a whole number, ${least} or more`);
}

/** Checks a duration. By default, it may be as long as a timer. */
export function checkMs(option: string, ms: unknown, least: number, most = LONGEST_TIMER_MS): void {
  check(option, typeof ms === 'number' && ms >= least && ms <= most, `milliseconds, ${least} to ${most}`);
}

/** Checks the bounds of random waits. Returns them with their defaults. */
export function checkRetry(option: string, retry: Given<RetryBounds>, least: number): RetryBounds {
  checkObject(option, retry);
  checkNames(option, Object.keys(retry), ['baseMs', 'capMs']);
  const { baseMs = 1000, capMs = 20_000 } = retry;
  checkMs(`${option}/baseMs`, baseMs, least);
  checkMs(`${option}/capMs`, capMs, least);
  return { baseMs, capMs };
}

type Given<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

/** Returns the pointer of a member (RFC 6901). */
export function memberOf(option: string, name: string): string {
  return `${option}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Rejects names other than these. */
export function checkNames(
  option: string,
  names: readonly string[],
  allowed: readonly string[],
  advice?: string,
): void {
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw wrongOption(memberOf(option, unknown), unknownName(unknown, allowed, advice));
}

/** Checks an object of hooks. An object of a class, a logger for example, may have members of its own. */
export function checkHooks<Name extends string>(hooks: { [Hook in Name]?: unknown }, names: readonly Name[]): void {
  checkObject('/hooks', hooks);
  const isLiteral = hooks.constructor === Object;
  const own = Object.keys(hooks);
  checkNames('/hooks', isLiteral ? own : own.filter((name) => name.startsWith('on')), names);
  for (const name of names) checkFunction(`/hooks/${name}`, hooks[name]);
}

/** Reads members of an option. Errors of getters become an {@link OptionError}. */
export function readOption<Value>(option: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof OptionError ? cause : wrongOption(option, 'cannot be read', cause);
  }
}

/** Copies the options of a call. */
export function copyOptions<Options extends object>(options: Options): Options {
  checkObject('', options);
  return readOption('', () => ({ ...options }));
}

/** The format of a token, for messages, which never show a token (D45). */
export const TOKEN_FORM = "a bearer token: a string without spaces, line breaks and 'Bearer'";

/** Returns true for visible ASCII: other characters are not valid in a token, or in a header. */
export function isToken(token: unknown): token is string {
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token);
}
