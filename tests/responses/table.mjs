/** The table of docs/concepts/order-fates.md: what a reply means for the client, the outbox and `send`. */
import { readFileSync } from 'node:fs';

const HEAD = '| Response | `createOrder` | Outbox | `send` |';

/** Returns the table in Markdown. */
export function responseTable() {
  const { rows } = JSON.parse(readFileSync(new URL('../vectors/fates/replies.json', import.meta.url), 'utf8'));
  const cells = rows.map((row) => [row.response, ofClient(row), ofOutbox(row), ofSend(row)]);
  return [HEAD, '|---|---|---|---|', ...cells.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

function ofClient({ fate, client = fate.error }) {
  if (fate.fate === 'accepted') return 'resolves, with `delivery`; `order` is null';
  if (fate.fate === 'created') {
    const order = fate.hasOrder ? '' : '; `order` is null';
    const alreadyThere = fate.alreadyThere ? '; `alreadyThere` is true' : '';
    return `resolves${order}${alreadyThere}${fate.hasOrder && fate.issues ? ', with the warning' : ''}`;
  }
  const relayState = fate.relayState ? `, \`relayState\` \`${fate.relayState}\`` : '';
  const isSuspect = fate.isSuspect ? ', suspect' : '';
  return `\`${client}\`, \`${fate.fate}\`${fate.canRepeat ? ', retryable' : ''}${isSuspect}${relayState}`;
}

/** The state if the service creates other orders. */
function ofOutbox(row) {
  const state = stateOf(row, 'others');
  return `\`${state}\`${state === 'waiting' ? '' : settledWhen(row)}`;
}

function ofSend(row) {
  const { fate, settles, send } = row;
  const isRepeated =
    stateOf(row, 'atStart') === 'waiting' && !fate.isSuspect && (fate.canRepeat || fate.fate === 'accepted');
  if (!settles && isRepeated) return 'keeps trying';
  return `ends with ${send}${settles ? settledWhen(row) : ''}`;
}

/** How long the response is repeated before it settles the order. */
function settledWhen(row) {
  if (row.settles) return `, ${row.settles}`;
  return row.fate.isSuspect && stateOf(row, 'others') !== 'waiting' ? ', after five in ten minutes' : '';
}

function stateOf(row, when) {
  return row[when].split(', ')[0];
}
