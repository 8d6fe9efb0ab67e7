import type { Invocation } from '../arguments/invocation.js';
import { EXIT, type ExitCode, unknownWord } from '../problem.js';
import { type CommandName, commandNames, entryOf, type Flag, flagsOf } from '../arguments/command-table.js';
import { PROGRAM } from '../arguments/program.js';
import { codeEntries } from '../output/issue-code-table.js';

/** Returns what can follow a command: `words` are those that its operands can be, besides files. */
function completionOf(name: CommandName) {
  const { summary, operands } = entryOf(name);
  const { areFiles: hasFiles = false, words: known = [] } = operands;
  const words = known === 'codes' ? codeEntries.map(({ code }) => code) : known;
  return { name, summary, flags: flagsOf(name), words, hasFiles };
}
type Completion = ReturnType<typeof completionOf>;

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export async function run(invocation: Invocation): Promise<ExitCode> {
  const shell = invocation.operand;
  const names = Object.keys(SHELLS);
  if (!names.includes(shell))
    throw unknownWord(`there is no completion for ${shell}: it is bash, zsh or fish`, shell, names);
  invocation.terminal.out.line(SHELLS[shell as keyof typeof SHELLS](commandNames.map(completionOf)));
  return EXIT.done;
}

/** Returns a script for bash 3.2 and later. Names of files may have spaces: only a line break separates them. */
function bashScript(completions: readonly Completion[]): string {
  const fromWords = (words: readonly string[]) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))`;
  const files = '_sales_order_intake_files "$word"';
  const cases = completions.map(({ name, flags, words, hasFiles }) => {
    const values = flags
      .filter(({ value }) => value !== undefined)
      .map((flag) => {
        const action = flag.choices ? fromWords(flag.choices) : flag.isFile ? files : ':';
        return `        --${flag.name}) ${action}; return ;;`;
      });
    const options = flags.flatMap((flag) => [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])]);
    return [
      `    ${name})`,
      ...(values.length > 0 ? ['      case $previous in', ...values, '      esac'] : []),
      '      if [[ $word == -* ]]; then',
      `        ${fromWords(options)}`,
      '      else',
      `        ${fromWords(words)}`,
      ...(hasFiles ? [`        ${files}`] : []),
      '      fi ;;',
    ].join('\n');
  });
  return `_sales_order_intake_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$1"))
}
_sales_order_intake() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${fromWords([...commandNames, '--help', '-h', '--version', '-V'])}
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
}
complete -o filenames -F _sales_order_intake ${PROGRAM}`;
}

/** Returns a script for zsh, to be evaluated after compinit. */
function zshScript(completions: readonly Completion[]): string {
  // For single quotes, in a specification with colons and brackets.
  const escaped = (text: string) => text.replace(/[[\]:]/g, '\\$&').replaceAll("'", "'\\''");
  const specOf = ({ name, short, value, about, choices, isFile, isRepeatable }: Flag) => {
    const values = choices ? `(${choices.join(' ')})` : isFile ? '_files' : ' ';
    const description = `[${escaped(about)}]${value === undefined ? '' : `:value:${values}`}`;
    return short
      ? `'(-${short} --${name})'{-${short},--${name}}'${description}'`
      : `'${isRepeatable ? '*' : ''}--${name}${description}'`;
  };
  const cases = completions.map(({ name, flags, words, hasFiles }) => {
    const files = words.length > 0 ? "'1:file:_files'" : "'*:file:_files'";
    const operands = [...(hasFiles ? [files] : []), ...(words.length > 0 ? [`'*:word:(${words.join(' ')})'`] : [])];
    const specs = [...flags.map(specOf), ...operands];
    return `    ${name}) _arguments ${specs.join(' ')} ;;`;
  });
  return `#compdef ${PROGRAM}
_sales_order_intake() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${completions.map(({ name, summary }) => `      '${name}:${escaped(summary)}'`).join('\n')}
    )
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _sales_order_intake ${PROGRAM}`;
}

/** Returns a script for fish. */
function fishScript(completions: readonly Completion[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const specOf = ({ name, short, value, about, choices, isFile }: Flag) => {
    const values = choices ? ` -x -a ${quoted(choices.join(' '))}` : isFile ? ' -r -F' : ' -x';
    return `-l ${name}${short ? ` -s ${short}` : ''}${value === undefined ? '' : values} -d ${quoted(about)}`;
  };
  const commands = completions.map(
    ({ name, summary }) => `-n '__fish_use_subcommand' -a ${name} -d ${quoted(summary)}`,
  );
  const specs = completions.flatMap(({ name, flags, words, hasFiles }) =>
    [
      ...(hasFiles ? ['-F'] : []),
      ...(words.length > 0 ? [`-a ${quoted(words.join(' '))}`] : []),
      ...flags.map(specOf),
    ].map((spec) => `-n '__fish_seen_subcommand_from ${name}' ${spec}`),
  );
  return ['-f', ...commands, ...specs].map((spec) => `complete -c ${PROGRAM} ${spec}`).join('\n');
}
