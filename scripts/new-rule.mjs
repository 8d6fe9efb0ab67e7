/**
 * Begins a rule: `make new-rule NAME=delivery_without_time SEVERITY=warning MEMBER=/TimeSlotDisplayString`. Adds the
 * issue code, its decision, a vector that fails until the rule is written, and an entry to the changelog, each with
 * TODO for what only you know.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './places.mjs';
import { fail } from './run.mjs';

const FILES = {
  codes: 'src/code.rs',
  decisions: 'docs/reference/decisions.md',
  vectors: 'tests/vectors/members.json',
  changes: 'CHANGELOG.md',
};

/**
 * Returns the files with the rule, by path.
 *
 * @param {{ name?: string, severity?: string, member?: string }} rule
 * @param {(path: string) => string} read
 * @returns {Record<string, string>}
 */
export function withRule({ name = '', severity = 'error', member = '/Notes' }, read) {
  if (!/^[a-z]+(_[a-z]+)+$/.test(name)) throw new Error('NAME must be the code, such as NAME=delivery_without_time');
  if (!['error', 'warning', 'notice'].includes(severity)) throw new Error('SEVERITY must be error, warning or notice');
  if (!/^\/[A-Z]\w*$/.test(member)) throw new Error('MEMBER must be a member of the order, such as MEMBER=/Notes');
  if (read(FILES.codes).includes(`"${name}"`)) throw new Error(`The code ${name} exists`);
  const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  const variant = name.split('_').map(capital).join('');
  const number =
    Math.max(...[...read(FILES.decisions).matchAll(/<a id="d(\d+)">/g)].map(([, digits]) => Number(digits))) + 1;
  const code = `    /// TODO: what is wrong, as a sentence (D${number}).\n    ${variant} "${name}" ${capital(severity)} "TODO: the sentence after the member's name";\n`;
  const decision = `### <a id="d${number}"></a>D${number} TODO: the question\n\nTODO: what holds, why, and (§) its section if it has one.\n\n`;
  const vector = {
    title: `TODO: the case of ${name}`,
    call: 'validate',
    base: 'minimal',
    set: { [member]: 'TODO' },
    expect: { issues: [`${severity} ${name} ${member}`] },
  };
  /** @type {[string, RegExp, (found: string) => string][]} */
  const edits = [
    [FILES.codes, /^codes! \{\n[\s\S]*?(?=^\}$)/m, (list) => list + code],
    [FILES.decisions, /^## Limits of the package\n/m, (next) => decision + next],
    [FILES.vectors, /^ {2}"vectors": \[\n/m, (start) => `${start}    ${JSON.stringify(vector)},\n`],
    [FILES.changes, /^## .*\n/m, (heading) => `${heading}\n- TODO: the new code \`${name}\`, why, and what to do.\n`],
  ];
  return Object.fromEntries(
    edits.map(([path, place, edit]) => {
      const text = read(path);
      if (!place.test(text)) throw new Error(`${path} has no place for the rule`);
      return [path, text.replace(place, edit)];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { NAME, SEVERITY, MEMBER } = process.env;
  try {
    const files = withRule({ name: NAME, severity: SEVERITY, member: MEMBER }, (path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    console.log(`Replace each TODO in ${Object.keys(files).join(', ')}.`);
    console.log('Then run make generate, and write the rule: docs/contributing/adding-a-rule.md, step 4.');
  } catch (error) {
    fail(/** @type {Error} */ (error).message);
  }
}
