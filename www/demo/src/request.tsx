import { useEffect, useState } from 'preact/hooks';
import type { Evaluation } from 'sales-order-intake/slim';
import { Check, Choice } from './field';
import { asCurl, asHttp, asNode, indented } from './request-text';

const FORMATS = {
  http: { label: 'HTTP', copy: 'Copy', print: asHttp },
  curl: { label: 'curl', copy: 'Copy as curl', print: asCurl },
  node: { label: 'Node', copy: 'Copy as code', print: asNode },
};
type Format = keyof typeof FORMATS;
const FORMAT_OPTIONS = Object.entries(FORMATS).map(([format, { label }]) => [format, label] as const);

/** The request as it will be sent. */
export function Request({ evaluation, baseUrl }: { evaluation: Evaluation; baseUrl: string }) {
  const [format, setFormat] = useState<Format>('http');
  const [isIndented, setIndented] = useState(false);
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
        <Choice
          legend="Show as"
          name="format"
          value={format}
          options={FORMAT_OPTIONS}
          choose={(to) => setFormat(to as Format)}
        />
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
      {format === 'http' && <Check label="Indent the body here (not sent)" checked={isIndented} set={setIndented} />}
    </>
  );
}
