/**
 * Writes the page of the HTTP interface from the OpenAPI document of the reference service. The responses on it are those of
 * `sales-order-intake/testing`, which responds with the same bytes (tests/testing).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pkg, root } from '../../scripts/places.mjs';
import { nameOf, schemaSections } from './schema-table.mjs';

const document = JSON.parse(readFileSync(join(root, 'service/rules/src/openapi.json'), 'utf8'));

export async function writeHttp(file) {
  const { components, info, paths } = document;
  const parts = [
    '# HTTP interface',
    info.description,
    'The service has the OpenAPI document of this page at `/openapi.json`. Every request needs the header `Authorization: Bearer TOKEN`.',
    ...Object.entries(paths).map(([path, operations]) => pathSection(path, operations)),
    `## Request body\n\n[${nameOf(bodySchema())}](#${nameOf(bodySchema()).toLowerCase()}) as \`application/json\` or \`text/json\`.`,
    ...Object.values(components.examples).map(
      ({ summary, value }) => `${summary}:\n\n${fence('json playground=optional', pretty(value))}`,
    ),
    '## Responses',
    ...(await responses()),
    '## Types',
    ...schemaSections(components.schemas),
  ];
  writeFileSync(file, `${parts.join('\n\n')}\n`);
}

function pathSection(path, { parameters = [], ...operations }) {
  return Object.entries(operations)
    .map(([method, { summary, responses }]) =>
      [
        `## ${method.toUpperCase()} \`${path}\``,
        `${summary}.`,
        table(['Parameter', 'In', 'Type', 'Meaning'], parameters.map(resolved).map(parameterRow)),
        table(
          ['Status', 'Response'],
          Object.entries(responses).map(([status, response]) => responseRow(status, resolved(response))),
        ),
      ].join('\n\n'),
    )
    .join('\n\n');
}

const parameterRow = ({ name, in: where, schema, description }) => [
  `\`${name}\``,
  where,
  `${schema.type} (${schema.format})`,
  description,
];

function responseRow(status, { description, headers = {} }) {
  const names = Object.keys(headers).map((name) => `\`${name}\``);
  return [
    `${status} ${STATUS_CODES[status]}`,
    names.length > 0 ? `${description} Header: ${names.join(', ')}.` : description,
  ];
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const bodySchema = () => resolved({ $ref: '#/components/requestBodies/order' }).content['application/json'].schema.$ref;

/** Sends orders to the reference service, and shows what it responds. */
async function responses() {
  const { createTestService } = await import(pathToFileURL(join(pkg, 'dist/esm/testing/index.js')).href);
  const service = createTestService();
  const order = document.components.examples.least.value;
  const send = async (title, value, headers = {}) => {
    const request = {
      method: 'PUT',
      headers: { ...HEADERS, authorization: `Bearer ${service.token}`, ...headers },
      body: JSON.stringify(value),
    };
    const response = await service.fetch(`${service.baseUrl}/v3/ServiceOrder(${order.Id})`, request);
    const text = await response.text();
    return `### ${response.status}: ${title}\n\n${fence('json', pretty(JSON.parse(text)))}`;
  };
  return [
    await send('the order is created', order),
    await send('the same order again', order),
    await send('another order with the same Id', { ...order, Notes: 'Another order' }),
    await send('an order with issues', { ...order, CompanyId: 0, Items: [{ ...order.Items[0], Quantity: '2,5' }] }),
    await send('an unknown token', order, { authorization: 'Bearer another-token' }),
  ];
}

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

function resolved(value) {
  if (!value.$ref) return value;
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((at, name) => at[name], document);
}

const pretty = (value) => JSON.stringify(value, null, 2);
const fence = (info, text) => `\`\`\`${info}\n${text}\n\`\`\``;
