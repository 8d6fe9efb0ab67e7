import { OptionError } from 'sales-order-intake';

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
  check(option, typeof value === 'object' && value !== null, 'an object');
}

/** Rejects names other than these. */
export function checkNames(option: string, names: readonly string[], allowed: readonly string[]): void {
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw wrongOption(`${option}/${unknown}`, `is unknown; the options are ${allowed.join(', ')}`);
}

/** Copies the options of a call. Errors of getters become an {@link OptionError}. */
export function copyOptions<Options extends object>(options: Options): Options {
  checkObject('', options);
  try {
    return { ...options };
  } catch (cause) {
    throw wrongOption('', 'cannot be read', cause);
  }
}
