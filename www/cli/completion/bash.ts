import { commandNames } from '../command-table.js';
import { flagsOf, operandWords, PROGRAM, takesFiles } from './words.js';

/** Returns a script for bash 3.2 and later. */
export function bashCompletion(): string {
  const cases = commandNames.map((name) => {
    const flags = flagsOf(name);
    const values = flags
      .filter(([, { type }]) => type === 'string')
      .map(([flag, { choices, isFile }]) => {
        const words = choices ? `compgen -W '${choices.join(' ')}' -- "$word"` : isFile ? 'compgen -f -- "$word"' : ':';
        return `      --${flag}) COMPREPLY=($(${words})); return ;;`;
      });
    const words = operandWords(name) ?? [];
    const operands = [
      ...(words.length > 0 ? [`$(compgen -W '${words.join(' ')}' -- "$word")`] : []),
      ...(takesFiles(name) ? ['$(compgen -f -- "$word")'] : []),
    ];
    return [
      `    ${name})`,
      ...(values.length > 0 ? ['      case $previous in', ...values.map((line) => `  ${line}`), '      esac'] : []),
      '      if [[ $word == -* ]]; then',
      `        COMPREPLY=($(compgen -W '${flags.map(([flag]) => `--${flag}`).join(' ')}' -- "$word"))`,
      '      else',
      `        COMPREPLY=(${operands.join(' ')})`,
      '      fi ;;',
    ].join('\n');
  });
  return [
    '_sales_order_intake() {',
    `  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}`,
    '  COMPREPLY=()',
    '  if ((COMP_CWORD == 1)); then',
    `    COMPREPLY=($(compgen -W '${commandNames.join(' ')} --help --version' -- "$word"))`,
    '    return',
    '  fi',
    `  case \${COMP_WORDS[1]} in`,
    ...cases,
    '  esac',
    '}',
    `complete -o filenames -F _sales_order_intake ${PROGRAM}`,
  ].join('\n');
}
