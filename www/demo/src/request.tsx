import { useState } from 'preact/hooks';
import { isOrderValidationError, type PreparedRequest } from 'sales-order-intake/slim';
import { asCurl, asHttp, asNode, indented } from './code';
import type { Draft } from './draft';
import { prepare } from './core';
import { Check, Choice } from './field';

const FORMS = { http: asHttp, curl: asCurl, node: asNode };

/** The request as it will be sent. */
export function Request({ draft, baseUrl }: { draft: Draft; baseUrl: string }) {
  const [form, setForm] = useState<keyof typeof FORMS>('http');
  const [isIndented, setIndented] = useState(false);
  const [copied, setCopied] = useState('');
  const request = prepared(draft);
  if (!request)
    return (
      <p class="aside">The order has errors, so there is no request. Mend them first: they are listed under Issues.</p>
    );

  const base = baseUrl.replace(/\/+$/, '') || 'https://base-url';
  const text = FORMS[form](request, base);
  const shown = form === 'http' && isIndented ? asHttp({ ...request, body: indented(request.body) }, base) : text;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('Copied');
    } catch {
      getSelection()?.selectAllChildren(document.getElementById('request-text') as HTMLElement);
      setCopied('Not allowed to copy here: it is selected, copy it by hand');
    }
    setTimeout(() => setCopied(''), 4000);
  };
  return (
    <>
      <div class="bar">
        <Choice
          legend="Show as"
          name="form"
          value={form}
          options={[
            ['http', 'HTTP'],
            ['curl', 'curl'],
            ['node', 'Node'],
          ]}
          choose={(to) => setForm(to as keyof typeof FORMS)}
        />
        <button type="button" onClick={copy}>
          {form === 'http' ? 'Copy' : form === 'curl' ? 'Copy as curl' : 'Copy as code'}
        </button>
      </div>
      <p class="aside" role="status">
        {copied ||
          `The body is ${new TextEncoder().encode(request.body).length} bytes; decimals are sent with the digits given.`}
      </p>
      <pre id="request-text" tabIndex={0} aria-label="Request">
        {shown}
      </pre>
      {form === 'http' && (
        <Check label="Indent the body for reading; it is sent without" checked={isIndented} set={setIndented} />
      )}
    </>
  );
}

function prepared(draft: Draft): PreparedRequest | null {
  try {
    return prepare(draft);
  } catch (error) {
    if (isOrderValidationError(error)) return null;
    throw error;
  }
}
