/**
 * Lists words that this project does not use, and Rust functions whose documentation does not begin with a verb:
 * `node scripts/check/words.mjs [file …]`. Fails if there are any. Without arguments it checks all files of the core
 * and of the package.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../places.mjs';

/** Matches `pattern` in prose and in names: `stored_order` and `StoredOrder` count as "stored order". */
const word = (name, pattern, instead) => ({ name, pattern, instead, text: asProse });
/** Matches `pattern` in the line as it is. */
const code = (name, pattern, instead) => ({ name, pattern, instead, text: (line) => line });

export const rules = [
  word('told', /\b(?:tell|tells|telling|told)\b/i, 'reported, listed, distinguished'),
  word('said', /\bsaid\b|\bsays?\(|\bsays? (?:of|about)\b|\bto say\b/i, 'reported, stated, contains'),
  word(
    'a word',
    /\b(?:without|worth|not) a word\b|\bno word\b|\bin (?:\w+ )?words\b|\bwords of its own\b/i,
    'reports nothing, message',
  ),
  word('known of', /\bknown of\b/i, 'status, known'),
  word('stands', /\b(?:stand|stands|standing|stood)\b/i, 'is, appears, represents'),
  word('place', /\b(?<!\b(?:take|takes|taking|took|decimal|in) )places?\b/i, 'position, location, pointer'),
  word('mend', /\bmend(?:s|ed|ing)?\b/i, 'fix, correct'),
  word('landed', /\bland(?:s|ed|ing)?\b/i, 'was received, was stored'),
  word('bulk', /\bbulk\b/i, 'batch'),
  word('kept', /\bkept\b(?! (?:alive|open)\b)/i, 'stored, preserved, retained'),
  // "Already there" is the name of a result (D53).
  word('there', /\b(?:is|are|was|were|be|been|not|all|stays?) there\b|\bthere already\b/i, 'present, stored'),
  word('gone', /\bgone\b/i, 'removed, closed'),
  word('answer', /\banswer(?:s|ed|ing)?\b/i, 'response, responds, returns'),
  word('wide', /\bwide\b/i, 'u128'),
  code('sibling, opaque', /["'`](?:sibling|opaque)["'`]|\b(?:Sibling|Opaque)\b(?= *[,{(]|::)/, 'strict, passthrough'),
  word('penny', /\bpenny\b/i, 'rounding range'),
  code('Fault', /(?<![\w-])(?:Fault|FAULT)\b/, 'Unrepresentable, InjectedFault, RegistryError'),
  // As a name only: prose needs it for what a program writes.
  code(
    'written',
    /\bWritten|\bwritten(?:!|::|:|_)|\b(?:mod|fn|let|let mut) written\b|\.written\b|_written\b/,
    'parsed, key, raw',
  ),
  word('shape', /\bshapes?\b/i, 'schema'),
  // std and tokio have ErrorKind, error.kind() and SignalKind.
  word('kind', /(?<!Error |Signal |\.)\bkinds?\b/i, 'field type, reason'),
  word('JSON text', /\bJSON texts?\b|\bas text\b/i, 'JSON, string'),
  // A string that is parsed as JSON, or that is an order.
  code(
    'text',
    /(?<!toml::|fn )\b(?:from_str(?:::<\w+>)?|JSON\.parse|accept|(?:build|evaluate|preview|validate)_order|prepare_request|digest_of_body)\(&?(?:\w+\.)?text\b|\bparse\(&?text, |\blet text = \w*order\b/,
    'json',
  ),
  word('where there', /\bwhere there (?:is|are|was|were)\b/, 'if there is'),
  word(
    'where (as a condition)',
    /(?<!from )\bwhere (?:it|this|that|they|one|none|nothing|nobody|somebody|the caller)\b/,
    'if, when',
  ),
  word('what came of', /\bwhat (?:came|comes|became|becomes) of\b/i, 'result, outcome'),
  word('so many', /\bso many\b/i, 'the limit, that number'),
  word('of which', /\bof which\b/i, 'a relative clause with that or whose'),
  word('nothing', /\bnothing (?:where|if|when)\b|\b(?:gives?|returns?|reads as) nothing\b/i, '`None`, empty'),
  word('is no', /\b(?<!\bthere )(?:is|are|was|were) no\b(?! (?:longer|more|less)\b)/i, 'is not a'),
  word('whom', /\bwhom\b/i, 'who, that'),
];

/**
 * Lines that may use a word nevertheless: those of `file` that include `line`, with the reason. An entry without a
 * matching line is an error.
 */
export const allowed = [
  ...['service/migrations/postgres/1_orders.sql', 'service/migrations/sqlite/1_orders.sql'].map((file) => ({
    file,
    line: '-- As it was answered.',
    reason: 'databases store the checksums of migrations that they ran',
  })),
  {
    file: 'service/src/store/postgres/writer.rs',
    line: 'ORDER BY place)',
    reason: 'a column of WITH ORDINALITY; POSITION is a function of SQL',
  },
  { file: 'service/src/store/postgres/writer.rs', line: 'before, after, place)', reason: 'the same column' },
  {
    file: 'service/src/cli/serve.rs',
    line: 'value_name = "FAULT=RATE"',
    reason: 'the name of a value in the help, not of a type',
  },
  ...['service/rules/src/pos/path.rs', 'service/rules/src/pos/page.js'].map((file) => ({
    file,
    line: 'It inserts values of orders as text, never as HTML.',
    reason: 'text as opposed to HTML, not to JSON',
  })),
  ...[
    ['cli/main.ts', 'where it happened'],
    ['outbox/options.ts', 'and where it is written'],
  ].map(([file = '', line = '']) => ({ file, line, reason: 'where is a place here, not a condition' })),
];

/** Words that end in s but are not verbs in the third person. */
const NOT_VERBS = new Set([
  'Across',
  'Always',
  'As',
  'Besides',
  'Does',
  'Has',
  'Is',
  'Its',
  'Less',
  'Minus',
  'Others',
  'Perhaps',
  'Plus',
  'This',
  'Thus',
  'Unless',
  'Was',
  'Whereas',
  'Yes',
]);

const FUNCTION = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe|extern(?:\s+"[^"]*")?)\s+)*fn\s+(\w+)/;

/** Rules for names of the crate: TypeScript has the type `Fault`, and members such as `kind` and `text`. */
const OF_THE_CRATE = new Set(['fault', 'kind', 'shape', 'text', 'wide', 'written']);

/** Returns the forbidden words in `text` as `{ file, line, word, instead, source }`. */
export function findWords(file, text) {
  const ofFile = rules.filter(({ name }) => !file.endsWith('.ts') || !OF_THE_CRATE.has(name.toLowerCase()));
  return text
    .split('\n')
    .flatMap((source, index) =>
      ofFile
        .filter(({ pattern, text: view }) => pattern.test(view(source)))
        .map(({ name, instead }) => ({ file, line: index + 1, word: name, instead, source: source.trim() })),
    );
}

/** Returns the functions of Rust source that have documentation, with its first line. */
export function documentedFunctions(text) {
  const functions = [];
  let doc; // The first line of the documentation before the current line.
  let depth = 0; // The number of open brackets, inside an attribute.
  for (const [index, source] of text.split('\n').entries()) {
    const line = source.trim();
    if (depth > 0 || line.startsWith('#[')) {
      depth += count(line, '[') - count(line, ']');
    } else if (line.startsWith('///')) {
      doc ??= { line: index + 1, source: line };
    } else {
      const [, name] = FUNCTION.exec(source) ?? [];
      if (name && doc) functions.push({ name, ...doc });
      doc = undefined;
    }
  }
  return functions;
}

/** Returns the functions of Rust source whose documentation begins with something other than a verb. */
export function findDocs(file, text) {
  return documentedFunctions(text)
    .filter(({ source }) => !beginsWithVerb(source))
    .map(({ name, ...doc }) => ({
      file,
      ...doc,
      word: `docs of fn ${name}`,
      instead: 'begin with a verb such as "Returns"',
    }));
}

/** Drops the allowed findings; returns the others and the entries of the allow list that match nothing. */
export function withoutAllowed(findings, entries = allowed) {
  const matches = (entry, { file, source }) => entry.file === file && source.includes(entry.line);
  return {
    findings: findings.filter((finding) => !entries.some((entry) => matches(entry, finding))),
    unused: entries.filter((entry) => !findings.some((finding) => matches(entry, finding))),
  };
}

function beginsWithVerb(doc) {
  const [, first = '', second = ''] = /^\/\/\/ (\w+)(?: (\w+))?/.exec(doc) ?? [];
  // "Positions of" and the like are plural nouns.
  return /^[A-Z][a-z]+s$/.test(first) && !NOT_VERBS.has(first) && !['of', 'which', 'whose'].includes(second);
}

function asProse(line) {
  return line.replaceAll('_', ' ').replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');
}

const count = (line, bracket) => line.split(bracket).length - 1;

/** Returns the files to check, relative to the root of the repository. */
function files() {
  return [
    ...filesIn('src'),
    ...['wasm', 'service', 'tests'].flatMap(filesIn).filter((file) => /\.(?:rs|sql|js)$/.test(file)),
    ...['pkg-template/src', 'www/client', 'outbox', 'testing', 'cli']
      .flatMap(filesIn)
      .filter((file) => file.endsWith('.ts')),
    'Cargo.toml',
    'examples/registry.toml',
  ];
}

function filesIn(folder) {
  return readdirSync(join(root, folder))
    .sort()
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      return statSync(join(root, path)).isDirectory() ? filesIn(path) : [path];
    });
}

function main(args) {
  const paths = args.length > 0 ? args.map((path) => relative(root, path).replaceAll('\\', '/')) : files();
  const all = [];
  let functions = 0;
  for (const file of paths) {
    const text = readFileSync(join(root, file), 'utf8');
    all.push(...findWords(file, text));
    if (file.endsWith('.rs')) {
      all.push(...findDocs(file, text));
      functions += documentedFunctions(text).length;
    }
  }
  const entries = allowed.filter(({ file }) => paths.includes(file));
  const { findings, unused } = withoutAllowed(all, entries);
  for (const { file, line, word: name, instead, source } of findings) {
    console.log(`${file}:${line}: ${name} → ${instead}\n    ${source}`);
  }
  for (const { file, line } of unused)
    console.log(`scripts/check/words.mjs: no line of ${file} needs the exception for "${line}"`);
  console.log(
    `check-words: ${paths.length} files, ${functions} documented functions, ${findings.length} findings, ${entries.length} exceptions`,
  );
  if (findings.length + unused.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
