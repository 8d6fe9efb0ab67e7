/** The request as text for other programs. */
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

// As text, so that every decimal keeps its digits.
const order = ${JSON.stringify(body)};
const client = createClient({ baseUrl: ${JSON.stringify(base)}, token: () => process.env.ACCESS_TOKEN });
const created = await client.createOrder(prepareRequest(order, { version: '${version}' }));
console.log(created.status, created.order.ReceiptNumber);
`;
}

/** For a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The same tokens with line breaks, for reading: parsing and printing again could lose digits. */
export function indented(json: string): string {
  let depth = 0;
  const broken = (change = 0) => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  return json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => {
    if (token === '{' || token === '[') return token + broken(1);
    if (token === '}' || token === ']') return broken(-1) + token;
    if (token === ',') return token + broken();
    return token === ':' ? ': ' : token;
  });
}
