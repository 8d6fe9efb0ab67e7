import { useEffect, useState } from 'preact/hooks';
import type { Evaluation, PreparedRequest } from 'sales-order-intake/slim';
import { indented } from '../../../outbox/page/json';
import { Check, Choice, useRecord } from './field';

const FORMATS = {
  http: { label: 'HTTP', copy: 'Copy', print: asHttp },
  curl: { label: 'curl', copy: 'Copy as curl', print: asCurl },
  node: { label: 'Node', copy: 'Copy as code', print: asNode },
};
type Format = keyof typeof FORMATS;
const FORMAT_OPTIONS = Object.entries(FORMATS).map(([format, { label }]) => [format, label] as const);

/** The request as it will be sent. */
export function Request({ evaluation, baseUrl }: { evaluation: Evaluation; baseUrl: string }) {
  const view = useRecord({ format: 'http' as Format, isIndented: false });
  const { format, isIndented } = view.values;
  const [copied, setCopied] = useState('');
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(''), 4000);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!evaluation.ok)
    return <p class="aside">The order has errors, so there is no request. Fix them first: see Issues.</p>;

  const request = evaluation.request();
  const base = baseUrl.replace(/\/+$/, '') || 'https://base-url';
  const { print, copy: label } = FORMATS[format];
  const text = print(request, base);
  const shown = format === 'http' && isIndented ? asHttp({ ...request, body: indented(request.body) }, base) : text;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('Copied');
    } catch {
      getSelection()?.selectAllChildren(document.getElementById('request-text') as HTMLElement);
      setCopied('The browser does not let this page copy: the text is selected, copy it by hand');
    }
  };
  return (
    <>
      <div class="bar">
        <Choice {...view} name="format" label="Show as" options={FORMAT_OPTIONS} />
        <button type="button" onClick={copy}>
          {label}
        </button>
      </div>
      <p class="aside" role="status">
        {copied ||
          `The body has ${new TextEncoder().encode(request.body).length} bytes. Decimals are sent with the digits as typed.`}
      </p>
      <pre id="request-text" tabIndex={0} aria-label="Request">
        {shown}
      </pre>
      {format === 'http' && <Check {...view} name="isIndented" label="Indent the body here (not sent)" />}
    </>
  );
}

// A request for other programs.

function asHttp({ method, path, headers, body }: PreparedRequest, base: string): string {
  const lines = Object.entries({ Authorization: 'Bearer <ACCESS_TOKEN>', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`${method} ${base}/${path}`, ...lines, '', body].join('\n');
}

function asCurl({ method, path, headers, body }: PreparedRequest, base: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  return [
    `curl -X ${method} ${quoted(`${base}/${path}`)}`,
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    ...lines,
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ');
}

function asNode({ version, body }: PreparedRequest, base: string): string {
  return `import { prepareRequest } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';

// JSON in a string, which preserves every digit of the decimals.
const order = ${JSON.stringify(body)};
const client = createClient({ baseUrl: ${JSON.stringify(base)}, token: () => process.env.ACCESS_TOKEN });
const created = await client.createOrder(prepareRequest(order, { version: '${version}' }));
console.log(created.status, created.order?.ReceiptNumber);
`;
}

/** Quotes an argument for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
