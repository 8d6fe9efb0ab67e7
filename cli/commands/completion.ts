import type { Invocation } from '../arguments/invocation.js';
import { EXIT, type ExitCode, nearestWord, usageProblem } from '../problem.js';
import { type CommandName, commandNames, entryOf, type Flag } from '../arguments/command-table.js';
import { PROGRAM } from '../arguments/program.js';
import { codeEntries } from '../output/issue-code-table.js';

const SHELLS: Record<string, () => string> = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

export async function run(invocation: Invocation): Promise<ExitCode> {
  const shell = invocation.operand;
  const completion = SHELLS[shell];
  if (!completion) {
    const meant = nearestWord(shell, Object.keys(SHELLS));
    throw usageProblem(
      `there is no completion for ${shell}: it is bash, zsh or fish`,
      meant && `Did you mean ${meant}?`,
    );
  }
  invocation.terminal.out.line(completion());
  return EXIT.done;
}

/** Adds files. Their names may have spaces: only a line break separates them. */
const ADD_FILES = `_sales_order_intake_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$1"))
}`;

/** Returns a script for bash 3.2 and later. */
function bashCompletion(): string {
  const cases = commandNames.map((name) => {
    const flags = flagsOf(name);
    const values = flags
      .filter(([, { type }]) => type === 'string')
      .map(([flag, { choices, isFile }]) => {
        const action = choices ? fromWords(choices) : isFile ? '_sales_order_intake_files "$word"' : ':';
        return `        --${flag}) ${action}; return ;;`;
      });
    const words = operandWords(name) ?? [];
    const options = flags.flatMap(([flag, { short }]) => [`--${flag}`, ...(short ? [`-${short}`] : [])]);
    return [
      `    ${name})`,
      ...(values.length > 0 ? ['      case $previous in', ...values, '      esac'] : []),
      '      if [[ $word == -* ]]; then',
      `        ${fromWords(options)}`,
      '      else',
      `        ${fromWords(words)}`,
      ...(takesFiles(name) ? ['        _sales_order_intake_files "$word"'] : []),
      '      fi ;;',
    ].join('\n');
  });
  return [
    ADD_FILES,
    '_sales_order_intake() {',
    `  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}`,
    '  COMPREPLY=()',
    '  if ((COMP_CWORD == 1)); then',
    `    ${fromWords([...commandNames, '--help', '-h', '--version', '-V'])}`,
    '    return',
    '  fi',
    `  case \${COMP_WORDS[1]} in`,
    ...cases,
    '  esac',
    '}',
    `complete -o filenames -F _sales_order_intake ${PROGRAM}`,
  ].join('\n');
}

function fromWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))`;
}

/** Returns a script for zsh, to be evaluated after compinit. */
function zshCompletion(): string {
  const cases = commandNames.map((name) => {
    const words = operandWords(name) ?? [];
    const operands = [
      ...(words.length > 0 ? [`'*:word:(${words.join(' ')})'`] : []),
      ...(takesFiles(name) && words.length === 0 ? ["'*:file:_files'"] : []),
    ];
    const first = takesFiles(name) && words.length > 0 ? ["'1:file:_files'"] : [];
    const specs = [...flagsOf(name).map(([flag, entry]) => zshSpec(flag, entry)), ...first, ...operands];
    return `    ${name}) _arguments ${specs.join(' ')} ;;`;
  });
  return [
    `#compdef ${PROGRAM}`,
    '_sales_order_intake() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...commandNames.map((name) => `      '${name}:${zshEscaped(entryOf(name).summary)}'`),
    '    )',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...cases,
    '  esac',
    '}',
    `compdef _sales_order_intake ${PROGRAM}`,
  ].join('\n');
}

function zshSpec(flag: string, { type, short, about, choices, isFile, multiple }: Flag): string {
  const repeated = multiple ? '*' : '';
  const value = type === 'boolean' ? '' : `:value:${choices ? `(${choices.join(' ')})` : isFile ? '_files' : ' '}`;
  const description = `[${zshEscaped(about)}]${value}`;
  return short
    ? `'(-${short} --${flag})'{-${short},--${flag}}'${description}'`
    : `'${repeated}--${flag}${description}'`;
}

/** For single quotes, in a specification with colons and brackets. */
function zshEscaped(text: string): string {
  return text.replace(/[[\]:]/g, '\\$&').replaceAll("'", "'\\''");
}

/** Returns a script for fish. */
function fishCompletion(): string {
  const isFirst = `-n '__fish_use_subcommand'`;
  return [
    `complete -c ${PROGRAM} -f`,
    ...commandNames.map(
      (name) => `complete -c ${PROGRAM} ${isFirst} -a ${name} -d ${fishQuoted(entryOf(name).summary)}`,
    ),
    ...commandNames.flatMap((name) => {
      const isHere = `-n '__fish_seen_subcommand_from ${name}'`;
      const words = operandWords(name) ?? [];
      return [
        ...(takesFiles(name) ? [`complete -c ${PROGRAM} ${isHere} -F`] : []),
        ...(words.length > 0 ? [`complete -c ${PROGRAM} ${isHere} -a ${fishQuoted(words.join(' '))}`] : []),
        ...flagsOf(name).map(([flag, entry]) => `complete -c ${PROGRAM} ${isHere} ${fishSpec(flag, entry)}`),
      ];
    }),
  ].join('\n');
}

function fishSpec(flag: string, { type, short, about, choices, isFile }: Flag): string {
  const value =
    type === 'boolean' ? '' : choices ? ` -x -a ${fishQuoted(choices.join(' '))}` : isFile ? ' -r -F' : ' -x';
  return `-l ${flag}${short ? ` -s ${short}` : ''}${value} -d ${fishQuoted(about)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

/** The words that a command's operands can be; undefined if they are files, and empty if there are none. */
function operandWords(name: CommandName): readonly string[] | undefined {
  const { are } = entryOf(name).operands;
  if (are === 'files') return name === 'outbox' ? ['list', 'retry', 'cancel', 'forget', 'replace', 'move'] : undefined;
  if (are === 'codes') return codeEntries.map(({ code }) => code);
  return are === 'none' ? [] : are;
}

/** Returns true if the operands of a command can be files. */
function takesFiles(name: CommandName): boolean {
  return entryOf(name).operands.are === 'files';
}

function flagsOf(name: CommandName): [string, Flag][] {
  const help: Flag = { type: 'boolean', short: 'h', about: 'Show this help.' };
  return Object.entries({ ...entryOf(name).flags, help });
}
