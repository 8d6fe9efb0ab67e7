/** The table of docs/concepts/order-fates.md: what each response of kinds.mjs means. docs/generate/marked.mjs writes it. */
import { ROWS } from './kinds.mjs';

const HEAD = ['Response', '`createOrder`', 'Outbox, none created yet', 'Outbox, others are created', '`send`'];
const RESOLVED = {
  created: 'resolves',
  'already there': 'resolves; `alreadyThere` is true',
  accepted: 'resolves, with `delivery`',
};

/** Returns the table in Markdown. */
export function responseTable() {
  const rows = [HEAD, HEAD.map(() => '---'), ...ROWS.map(cellsOf)];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`.replaceAll(' --- ', '---')).join('');
}

/** @param {import('./kinds.mjs').Row} row */
function cellsOf({ response, client, suspect, atStart, others, send }) {
  const [start] = atStart.split(', ');
  const [end] = others.split(', ');
  const isFifth = suspect && end !== 'waiting';
  const goesOn = start === 'waiting' && !suspect && send === 5;
  return [
    response,
    'error' in client ? rejected(client) : `${RESOLVED[client.resolves]}${client.hasOrder ? '' : '; `order` is null'}`,
    `\`${start}\``,
    isFifth ? `\`${end}\`, after five in ten minutes` : `\`${end}\``,
    goesOn ? 'keeps trying' : `ends with ${send}`,
  ];
}

function rejected({ error, outcome, retryable }) {
  return `\`${error}\`, \`${outcome}\`${retryable ? ', retryable' : ''}`;
}
