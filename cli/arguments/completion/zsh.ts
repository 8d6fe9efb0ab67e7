import { commandNames, entryOf, type Flag } from '../command-table.js';
import { PROGRAM } from '../program-name.js';
import { flagsOf, operandWords, takesFiles } from './words.js';

/** Returns a script for zsh, to be evaluated after compinit. */
export function zshCompletion(): string {
  const cases = commandNames.map((name) => {
    const words = operandWords(name) ?? [];
    const operands = [
      ...(words.length > 0 ? [`'*:word:(${words.join(' ')})'`] : []),
      ...(takesFiles(name) && words.length === 0 ? ["'*:file:_files'"] : []),
    ];
    const first = takesFiles(name) && words.length > 0 ? ["'1:file:_files'"] : [];
    const specs = [...flagsOf(name).map(([flag, entry]) => specOf(flag, entry)), ...first, ...operands];
    return `    ${name}) _arguments ${specs.join(' ')} ;;`;
  });
  return [
    `#compdef ${PROGRAM}`,
    '_sales_order_intake() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...commandNames.map((name) => `      '${name}:${escaped(entryOf(name).summary)}'`),
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

function specOf(flag: string, { type, short, about, choices, isFile, multiple }: Flag): string {
  const repeated = multiple ? '*' : '';
  const value = type === 'boolean' ? '' : `:value:${choices ? `(${choices.join(' ')})` : isFile ? '_files' : ' '}`;
  const description = `[${escaped(about)}]${value}`;
  return short
    ? `'(-${short} --${flag})'{-${short},--${flag}}'${description}'`
    : `'${repeated}--${flag}${description}'`;
}

/** For single quotes, in a specification with colons and brackets. */
function escaped(text: string): string {
  return text.replace(/[[\]:]/g, '\\$&').replaceAll("'", "'\\''");
}
