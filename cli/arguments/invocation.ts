import { parseArgs } from 'node:util';
import { type CommandName, entryOf, type Flag, flagsOf, WITHOUT_OPERANDS } from './command-table.js';
import { unknownWord, usageProblem } from '../problem.js';
import { CALLED } from './program.js';
import type { Terminal } from '../output/terminal.js';

const HOUR_MS = 3_600_000;
const MOST_HOURS = 500;

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** A command as the user called it, checked against the table of commands. */
export class Invocation {
  readonly command: CommandName;
  readonly operands: readonly string[];
  readonly terminal: Terminal;
  readonly #values: Values;

  constructor(command: CommandName, operands: readonly string[], values: Values, terminal: Terminal) {
    this.command = command;
    this.operands = operands;
    this.terminal = terminal;
    this.#values = values;
  }

  /** The first operand, which the command requires. */
  get operand(): string {
    return this.operands[0] ?? '';
  }

  /** The flags that are given. */
  get flags(): string[] {
    return Object.keys(this.#values);
  }

  has(flag: string): boolean {
    return this.#values[flag] === true;
  }

  text(flag: string): string | undefined {
    const value = this.#values[flag];
    return typeof value === 'string' ? value : undefined;
  }

  /**
   * Returns a variable of the environment, or undefined if it is not set.
   *
   * @throws Problem if it is set but empty: a secret that could not be read must not count as absent.
   */
  variable(name: string): string | undefined {
    const value = this.terminal.env[name];
    if (value === '') throw usageProblem(`${name} is set, but empty`, 'Give it a value, or unset it.');
    return value;
  }

  texts(flag: string): string[] {
    const value = this.#values[flag];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** Returns a whole number within bounds; undefined without the flag. */
  count(flag: string, least: number, most: number): number | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(count >= least && count <= most)) {
      throw usageProblem(`--${flag} must be a whole number from ${least} to ${most}, not ${text}`);
    }
    return count;
  }

  /** Returns a time such as 90s, 10m or 2h in milliseconds, at most the longest of a timer; undefined without the flag. */
  milliseconds(flag: string): number | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const [, digits, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
    if (!digits) throw usageProblem(`--${flag} must be a time such as 90s, 10m or 2h, not ${text}`);
    const ms = Number(digits) * { s: 1000, m: 60_000, h: HOUR_MS }[unit as 's' | 'm' | 'h'];
    if (ms > MOST_HOURS * HOUR_MS) throw usageProblem(`--${flag} must be at most ${MOST_HOURS}h, not ${text}`);
    return ms;
  }
}

/** @throws Problem if the arguments do not fit the command. */
export function parseInvocation(command: CommandName, args: string[], terminal: Terminal): Invocation {
  const { operands: usage } = entryOf(command);
  const words = usage.split(' ').filter(Boolean);
  const least = words.filter((word) => !word.startsWith('[')).length;
  const most = usage.includes('…') ? Number.POSITIVE_INFINITY : words.length;
  const flags = flagsOf(command);
  const help = `${CALLED} ${command} --help shows all flags.`;
  const values: Values = {};
  const operands: string[] = [];
  for (const token of parseArgs({ args, options: optionsOf(flags), strict: false, tokens: true }).tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const flag = flags.find((each) => each.name === name);
    if (!flag) throw unknownFlag(name, rawName, command, flags, help);
    checkValue(rawName, flag, value, inlineValue);
    if (flag.isRepeatable) values[name] = [...((values[name] as string[]) ?? []), value as string];
    else if (flag.value && values[name] !== undefined) throw usageProblem(`${rawName} is given more than once`);
    else values[name] = value ?? true;
  }
  if (!WITHOUT_OPERANDS.some((flag) => values[flag])) {
    if (operands.length < least) throw usageProblem(`${command} needs ${usage}`, help);
    if (operands.length > most) throw usageProblem(`${command} does not take "${operands[most]}"`, help);
  }
  return new Invocation(command, operands, values, terminal);
}

function optionsOf(flags: readonly Flag[]) {
  const options = flags.map(({ name, short, value }) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, ...(short && { short }) }];
  });
  return Object.fromEntries(options) as Record<string, { type: 'boolean' | 'string' }>;
}

function checkValue(name: string, { choices, value: expected }: Flag, value: string | undefined, isInline?: boolean) {
  if (expected === undefined) {
    if (value !== undefined) throw usageProblem(`${name} takes no value`);
    return;
  }
  // "--map --json": the flag's value is missing.
  if (value === undefined || value === '' || (!isInline && value.startsWith('-') && value !== '-')) {
    throw usageProblem(`${name} needs a value: ${name} ${expected}`);
  }
  if (choices && !choices.includes(value))
    throw unknownWord(`${name} must be one of ${choices.join(', ')}`, value, choices);
}

function unknownFlag(name: string, raw: string, command: CommandName, flags: readonly Flag[], help: string) {
  // An argument can be read by every user of the machine, and stays in the history of the shell.
  if (name === 'token') {
    const why = 'other users of this machine could see it, and the shell stores it';
    const hint = 'Set SALES_ORDER_INTAKE_TOKEN, or use --token-file FILE or --token-command COMMAND.';
    return usageProblem(`${command} takes no token as an argument: ${why}`, hint);
  }
  const names = flags.map((flag) => `--${flag.name}`);
  return unknownWord(`${command} has no flag ${raw}`, `--${name}`, names, help);
}
