import { previewOrder } from 'sales-order-intake';
import { ControlTotal } from '../output/control-total.js';
import { EXIT, type ExitCode } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { issueText } from '../output/issue-text.js';
import { issueJson, keyOf, placed, preparedOrder, repeatFinder } from '../files/order-issue.js';
import { orderOptions, ordersIn } from '../arguments/order-options.js';
import { notComparedText, printableName } from '../output/printable-text.js';
import { receipt, stepTable } from '../output/receipt.js';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out } = invocation.terminal;
  const explain = invocation.has('explain');
  const options = { ...(await orderOptions(invocation)), explain };
  let code: ExitCode = EXIT.done;
  const total = new ControlTotal();
  const repeated = repeatFinder();
  for await (const order of await ordersIn(invocation.operand, invocation, options)) {
    if (order.isSkipped) {
      total.skipped++;
      continue;
    }
    const preview = previewOrder(order.json, options);
    const { orderId } = preparedOrder(order, options);
    const issues = placed(order, preview.issues, [...order.fileIssues, ...repeated(order, orderId)]);
    const errors = issues.filter(({ issue }) => issue.severity === 'error');
    if (errors.length > 0) code = EXIT.invalid;
    await out.ready();
    total.add(preview, errors.length === 0);
    total.notCompared += order.unknownAmounts;
    if (order.fileIssues.some((issue) => issue.code === 'csv_amount_differs')) total.differing++;
    const { file, key, start } = order;
    if (invocation.has('json')) {
      out.json({ ...preview, issues: issues.map(issueJson), file, ...start, ...keyOf(order) });
      continue;
    }
    if (total.orders > 1) out.line();
    const position = out.style('bold', `${printableName(file)}:${start.line}:${start.column}`);
    out.line(key === null ? position : `${position} (order ${printableName(key)})`);
    out.line(receipt(preview, out));
    if (explain) out.line(`\n${stepTable(preview, out)}`);
    // The receipt shows the notices: they say why an amount is unknown.
    for (const each of issues.filter(({ issue }) => issue.severity !== 'notice')) out.line(`\n${issueText(each, out)}`);
  }
  if (total.orders !== 1 || total.skipped > 0) {
    if (invocation.has('json')) out.json({ controlTotal: total });
    else out.line(total.text(out));
  } else if (total.notCompared > 0 && !invocation.has('json')) out.line(`\n${notComparedText(total.notCompared)}`);
  return code;
}
