/** Writes a page for each issue code, from the table of codes and examples/issue-examples.json; and the list of them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { pkg, root } from '../../scripts/places.mjs';
import { linked } from './references.mjs';

const core = pathToFileURL(join(pkg, 'dist/esm/index.js')).href;
const client = pathToFileURL(join(pkg, 'dist/esm/client/index.js')).href;
export async function writeIssueCodes(folder) {
  const text = readFileSync(join(root, 'src/issue-codes.md'), 'utf8');
  const examples = JSON.parse(readFileSync(join(root, 'examples/issue-examples.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const row of rowsOf(text)) {
    const example = examples.find(({ code }) => code === row.code);
    if (!example) throw new Error(`examples/issue-examples.json has no example of ${row.code}`);
    writeFileSync(join(folder, `${row.code}.md`), await pageOf(row, example));
  }
  writeFileSync(join(folder, 'index.md'), listOf(text));
}

/** Returns the rows of the table. @returns {Record<'code' | 'severity' | 'meaning' | 'params' | 'source', string>[]} */
export function rowsOf(text) {
  const row = /^\| `(?<code>[a-z_]+)` \| (?<severity>\w+) \| (?<meaning>.*) \| (?<params>.*) \| (?<source>.*) \|$/gm;
  return [...text.matchAll(row)].map(({ groups }) => groups);
}

/** The table as it is, with links. */
function listOf(text) {
  return text
    .replaceAll(
      /^\| `([a-z_]+)` \| (.*) \| (.*) \|$/gm,
      (_, code, middle, source) => `| [\`${code}\`](./${code}) | ${middle} | ${linked(source)} |`,
    )
    .replace('page Decisions', '[page Decisions](/reference/decisions)');
}

const SEVERITY = {
  error: 'An error: it blocks the request.',
  warning: 'A warning: it does not block the request, but is probably a mistake.',
  notice: 'A notice: it does not block the request.',
};

async function pageOf({ code, severity, meaning, params, source }, example) {
  const introduction = [
    `# \`${code}\``,
    meaning,
    `${SEVERITY[severity]} Source: ${linked(source)}.`,
    params && `\`params\` has ${params}.`,
  ];
  return `${[...introduction, ...(await partsOf(code, example))].filter(Boolean).join('\n\n')}\n`;
}

async function partsOf(code, { advice, fixed, fixedOptions, options, order, trigger = 'order', version }) {
  const rules = { ...(version && { version: `v${version}` }), ...options };
  const corrected = { ...(version && { version: `v${version}` }), ...fixedOptions };
  const issue = (await issuesOf(trigger, order, rules, fixed)).find((each) => each.code === code);
  if (!issue) throw new Error(`the example of ${code} does not have its issue`);
  return [
    `**What to do.** ${advice}`,
    `## ${trigger.endsWith('response') ? 'A response' : 'An order'} with this issue`,
    INTRODUCTIONS[trigger],
    exampleOf(trigger, order, rules),
    messageOf(issue),
    trigger === 'created-response' ? '## The order that was sent' : '## Corrected',
    exampleOf(trigger === 'response' ? trigger : 'order', fixed, corrected),
  ];
}

const INTRODUCTIONS = {
  javascript: 'JSON cannot contain it, or is too long to be shown; a program can make it:',
  response: '`readOrder` reports it about the body of a response:',
  'created-response': '`createOrder` reports it about the response to the order below:',
  'error-response': '`readError` reports it about the body of an error response:',
  'no-random-source': '`buildOrder` reports it on a platform that has no secure random source:',
};

/** The `playground` tag makes a link if the page can show the order. */
function exampleOf(trigger, order, options) {
  const hasOptions = Object.keys(options).length > 0;
  const shown = typeof order === 'string' ? order : JSON.stringify(order, null, 2);
  const isJson = trigger !== 'javascript' && /^\s*[{[]/.test(shown);
  const language = trigger === 'javascript' ? 'js' : isJson ? 'json' : 'text';
  const isLinked = trigger === 'order' && typeof order !== 'string';
  const tag = isLinked ? ` playground=optional${hasOptions ? ` options=${JSON.stringify(options)}` : ''}` : '';
  const text = shown === '' ? '(an empty body)' : shown;
  return [`\`\`\`${language}${tag}\n${text}\n\`\`\``, hasOptions && `Options: \`${JSON.stringify(options)}\``]
    .filter(Boolean)
    .join('\n\n');
}

function messageOf({ message, hint, pointer }) {
  const at = pointer ? `At \`${pointer}\`: ` : '';
  return `> ${at}${message}${hint ? ` (${hint})` : ''}`;
}

/** Returns the issues that the package reports; cli/output/explanation.ts describes the triggers. */
export async function issuesOf(trigger, order, options, sent) {
  const { evaluateOrder, readError, readOrder, validateOrder } = await import(core);
  const json = typeof order === 'string' ? order : JSON.stringify(order);
  switch (trigger) {
    case 'order':
      // Only validateOrder reports members that a request leaves out.
      return [...evaluateOrder(json, options).issues, ...validateOrder(json, options).issues];
    case 'javascript':
      return evaluateOrder(runInNewContext(`(${order})`), options).issues;
    case 'response':
      return readOrder(json).issues;
    case 'created-response':
      return (await createdBy(sent, json)).issues;
    case 'error-response':
      return readError(json).issues;
    case 'no-random-source':
      return withoutRandomSource(order, options);
    default:
      throw new Error(`unknown trigger: ${trigger}`);
  }
}

/** Sends an order to a service that responds with this body. */
async function createdBy(order, body) {
  const { createClient } = await import(client);
  const fetch = async () => new Response(body, { status: 201, headers: { 'Content-Type': 'application/json' } });
  return createClient({ baseUrl: 'https://intake.example.com', token: 'a-token', fetch }).createOrder(order);
}

/** In a process of its own, whose platform has no random numbers. */
function withoutRandomSource(order, options) {
  const program = `
    Object.defineProperty(globalThis, 'crypto', { value: undefined });
    const { buildOrder } = await import(${JSON.stringify(core)});
    console.log(JSON.stringify(buildOrder(${JSON.stringify(order)}, ${JSON.stringify(options)}).issues));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
