/** Prints a request for other programs. */
import type { PreparedRequest } from 'sales-order-intake/slim';

export function asHttp({ method, path, headers, body }: PreparedRequest, base: string): string {
  const lines = Object.entries({ Authorization: 'Bearer <ACCESS_TOKEN>', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`${method} ${base}/${path}`, ...lines, '', body].join('\n');
}

export function asCurl({ method, path, headers, body }: PreparedRequest, base: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  return [
    `curl -X ${method} ${quoted(`${base}/${path}`)}`,
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    ...lines,
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ');
}

export function asNode({ version, body }: PreparedRequest, base: string): string {
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

/** Adds line breaks and spaces between the tokens of JSON. Parsing and printing it again could lose digits. */
export function indented(json: string): string {
  let depth = 0;
  const newLine = (change = 0) => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  return json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => {
    if (token === '{' || token === '[') return token + newLine(1);
    if (token === '}' || token === ']') return newLine(-1) + token;
    if (token === ',') return token + newLine();
    return token === ':' ? ': ' : token;
  });
}
