import { baseUrlOf } from '../arguments/base-url-and-token.js';
import { EXIT, type ExitCode } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import { issueText } from '../output/issue-text.js';
import { placed, preparedOrder, repeatFinder } from '../files/order-issue.js';
import { orderOptions, ordersIn } from '../arguments/order-options.js';
import type { PreparedRequest } from 'sales-order-intake';
import { counted, jsonLine, printableJson } from '../output/printable-text.js';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const form = FORMS[(invocation.text('as') ?? 'curl') as keyof typeof FORMS];
  const baseUrl = invocation.text('base-url') === undefined ? undefined : baseUrlOf(invocation);
  const options = await orderOptions(invocation);
  let code: ExitCode = EXIT.done;
  let isFirst = true;
  let skipped = 0;
  const repeated = repeatFinder();
  for await (const order of await ordersIn(invocation.operand, invocation, options)) {
    await Promise.all([out.ready(), err.ready()]);
    if (order.isSkipped) {
      skipped++;
      continue;
    }
    const { orderId, request, issues } = preparedOrder(order, options);
    const repeats = repeated(order, orderId);
    for (const each of placed(order, issues, [...order.fileIssues, ...repeats])) err.line(`${issueText(each, err)}\n`);
    if (!request || repeats.length > 0) {
      code = EXIT.invalid;
      continue;
    }
    if (!isFirst) out.line(form.separator);
    isFirst = false;
    out.line(form.text(request, baseUrl));
  }
  if (skipped > 0) err.line(`${counted(skipped, 'order')} skipped.`);
  return code;
}

/** The variables in place of values that are not known, or must not be printed. */
const TOKEN_VARIABLE = 'SALES_ORDER_INTAKE_TOKEN';
const BASE_URL_VARIABLE = 'SALES_ORDER_INTAKE_BASE_URL';

/** The forms of a request, with the text between two of them; the token is a variable in each. `baseUrl` ends with a slash, or is unknown. */
const FORMS = {
  curl: { text: curl, separator: '' },
  fetch: { text: fetchCall, separator: '' },
  http: { text: http, separator: '\n###\n' },
};

function curl({ method, path, headers, body }: PreparedRequest, baseUrl: string | undefined): string {
  const url = baseUrl === undefined ? `"\${${BASE_URL_VARIABLE}%/}"${quoted(`/${path}`)}` : quoted(baseUrl + path);
  const fields = Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`);
  return [
    // --globoff: curl takes the brackets of an IPv6 address for a pattern.
    `curl --globoff --fail-with-body --request ${method} ${url}`,
    // Double quotes: the shell inserts the token.
    `--header "Authorization: Bearer $${TOKEN_VARIABLE}"`,
    ...fields,
    `--data-binary ${quoted(printableJson(body))}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fetchCall({ method, path, headers, body }: PreparedRequest, baseUrl: string | undefined): string {
  const url =
    baseUrl === undefined
      ? `\`\${process.env.${BASE_URL_VARIABLE}.replace(/\\/$/, '')}/${path}\``
      : JSON.stringify(baseUrl + path);
  const fields = Object.entries(headers).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  return [
    `await fetch(${url}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.${TOKEN_VARIABLE}}\`,`,
    ...fields,
    '  },',
    `  body: ${jsonLine(body)},`,
    '}).then(async (response) => console.log(response.status, await response.text()));',
  ].join('\n');
}

/** As HTTP clients of editors read it from .http files: variables are in braces. */
function http({ method, path, headers, body }: PreparedRequest, baseUrl: string | undefined): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const url = `${baseUrl ?? `{{${BASE_URL_VARIABLE}}}/`}${path}`;
  return [
    `${method} ${url} HTTP/1.1`,
    `Authorization: Bearer {{${TOKEN_VARIABLE}}}`,
    ...fields,
    '',
    printableJson(body),
  ].join('\n');
}
