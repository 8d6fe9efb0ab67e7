import { checkedBaseUrl } from '../arguments/base-url.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Invocation } from '../arguments/invocation.js';
import { issueText } from '../output/issue-text.js';
import { placed } from '../files/order-issue.js';
import { orderOptions, sourceOptions } from '../arguments/order-options.js';
import { preparedOrder } from '../sending/prepared-order.js';
import { requestText, separatorOf, type RequestForm } from '../output/request-text.js';
import { ordersOf } from '../files/order-source.js';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const form = (invocation.text('as') ?? 'curl') as RequestForm;
  const given = invocation.text('base-url');
  const baseUrl = given === undefined ? undefined : checkedBaseUrl(given);
  const options = await orderOptions(invocation);
  let code: ExitCode = EXIT.done;
  let isFirst = true;
  for await (const order of ordersOf(invocation.operand, sourceOptions(invocation))) {
    await Promise.all([out.ready(), err.ready()]);
    const { request, issues } = preparedOrder(order, options);
    for (const each of placed(order, issues)) err.line(`${issueText(each, err)}\n`);
    if (!request) {
      code = EXIT.invalid;
      continue;
    }
    if (!isFirst) out.line(separatorOf(form));
    isFirst = false;
    out.line(requestText(form, request, baseUrl));
  }
  return code;
}
