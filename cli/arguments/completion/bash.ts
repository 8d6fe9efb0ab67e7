import { commandNames } from '../command-table.js';
import { PROGRAM } from '../program-name.js';
import { flagsOf, operandWords, takesFiles } from './words.js';

/** Adds files. Their names may have spaces: only a line break separates them. */
const ADD_FILES = `_sales_order_intake_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$1"))
}`;

/** Returns a script for bash 3.2 and later. */
export function bashCompletion(): string {
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
