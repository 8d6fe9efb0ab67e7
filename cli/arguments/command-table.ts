/** The arguments of each command, of which parsing and help are made. */
import table from './commands.json';

/** A flag of a command. */
export interface Flag {
  name: string;
  short: string | undefined;
  /** The name of its value, for help; undefined if it takes none. */
  value: string | undefined;
  about: string;
  isRepeatable: boolean;
  /** The values that it takes. */
  choices: readonly string[] | undefined;
}

/** The purpose of each flag, by the flag as help shows it; `…` after it means that it can be repeated. */
type Flags = Readonly<Record<string, string>>;

/** A command of commands.json. */
interface CommandEntry {
  summary: string;
  /** The operands as help shows them. */
  operands: string;
  /** Flags, or the name of a group that several commands have. */
  flags: readonly (Flags | string)[];
  /** Paragraphs of the help, or the name of a group of them; the lines of an array are shown as they are. */
  details: readonly (string | readonly string[])[];
  examples: readonly string[];
}

/** Flags that need no operands. */
export const WITHOUT_OPERANDS = ['help', 'schema'];
export const HELP = { '-h, --help': 'Show this help.' };
/** The flags that the program has without a command. */
export const globalFlags = { ...HELP, '-V, --version': 'Print the version.' };
const [groups, choices, commands] = [table.flags, table.choices, table.commands] as unknown as [
  Record<string, Flags>,
  Record<string, string[]>,
  Record<CommandName, CommandEntry>,
];

export type CommandName = keyof typeof table.commands;

export const commandNames = Object.keys(table.commands) as CommandName[];

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(table.commands, name);
}

/** Returns a command with its groups in full: its flags, `--help` last, and its paragraphs. */
export function entryOf(name: CommandName) {
  const { flags, details, ...entry } = commands[name];
  return {
    ...entry,
    flags: Object.assign({}, ...flags.map((each) => (typeof each === 'string' ? groups[each] : each)), HELP) as Flags,
    details: details.flatMap((each) => (each === 'files' ? table.details.files : [each])),
  };
}

export function flagsOf(name: CommandName): Flag[] {
  return Object.entries(entryOf(name).flags).map(([flag, about]) => {
    const [, short, name = '', value, more] = /^(?:-(\w), )?--([\w-]+)(?: ([^ …]+))?( …)?$/.exec(flag) ?? [];
    return { name, short, value, about, isRepeatable: more !== undefined, choices: choices[value ?? ''] };
  });
}
