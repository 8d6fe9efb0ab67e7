/**
 * Puts the table of tests/responses/kinds.mjs, what each response means, into docs/concepts/order-fates.md: `--write` writes,
 * otherwise it fails if the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROWS } from './kinds.mjs';
import { root } from '../../scripts/places.mjs';
import { fail } from '../../scripts/run.mjs';

export const PAGE = join(root, 'docs/concepts/order-fates.md');
const TABLE = /(<!-- responses: written by make generate -->\n)[\s\S]*?(<!-- \/responses -->)/;
const HEAD = ['Response', '`createOrder`', 'Outbox, none created yet', 'Outbox, others are created', '`send`'];
const RESOLVED = {
  created: 'resolves',
  'already there': 'resolves; `alreadyThere` is true',
  accepted: 'resolves, with `delivery`',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = pageWithTable();
  if (process.argv.includes('--write')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page) fail('order-fates.md is out of date: run `make generate`');
}

/** Returns the page with the table as it should be. */
export function pageWithTable() {
  const rows = [HEAD, HEAD.map(() => '---'), ...ROWS.map(cellsOf)];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`.replaceAll(' --- ', '---')).join('');
  const page = readFileSync(PAGE, 'utf8');
  if (!TABLE.test(page)) fail(`${PAGE} has no marks for the table of responses`);
  return page.replace(TABLE, (_, begin, end) => `${begin}\n${table}\n${end}`);
}

/** @param {import('./kinds.mjs').Row} row */
function cellsOf({ response, client, suspect, atStart, others, send }) {
  const [start] = atStart.split(', ');
  const [end] = others.split(', ');
  const isSecond = suspect === 'always' && end !== 'waiting';
  const goesOn = start === 'waiting' && !suspect && send === 5;
  return [
    response,
    'error' in client ? rejected(client) : `${RESOLVED[client.resolves]}${client.hasOrder ? '' : '; `order` is null'}`,
    `\`${start}\``,
    isSecond ? `\`${end}\`, the second time` : `\`${end}\``,
    goesOn ? 'keeps trying' : `ends with ${send}`,
  ];
}

function rejected({ error, outcome, retryable }) {
  return `\`${error}\`, \`${outcome}\`${retryable ? ', retryable' : ''}`;
}
