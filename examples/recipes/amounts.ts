import type { Issue, Preview, PreviewLine } from 'sales-order-intake';

/** The amounts of a line, and the members of the order that can leave them unknown. */
const AMOUNTS = [
  { label: 'Amount', member: 'extended', from: [] },
  { label: 'Discount', member: 'discount', from: ['/Discount'] },
  { label: 'Tax', member: 'tax', from: ['/Taxes', '/Discount'] },
  { label: 'Total', member: 'total', from: ['/Taxes', '/Discount'] },
] as const;

/** Returns the amounts of a line as texts. An unknown amount has its reason; it is never shown as 0. */
export function amountsOf({ lines, issues }: Preview, index: number) {
  const line = lines[index];
  if (!line) return [];
  return AMOUNTS.map(({ label, member, from }) => ({
    label,
    text: line[member] ?? `unknown: ${reasonOf(line, from, issues)}`,
  }));
}

/** Returns the message of the issue that leaves an amount unknown: one of the line itself, or of a member. */
function reasonOf({ index, extended }: PreviewLine, members: readonly string[], issues: readonly Issue[]): string {
  const line = `/Items/${index}`;
  const ofLine = extended === null ? [`${line}/Quantity`, `${line}/SellAtPricePerUnit`, line] : [];
  for (const location of [...ofLine, ...members]) {
    const issue = issues.find(
      ({ severity, pointer }) => severity !== 'warning' && `${pointer}/`.startsWith(`${location}/`),
    );
    if (issue) return issue.message;
  }
  // A discount is shared among all lines.
  return 'the amount of another line is unknown';
}
