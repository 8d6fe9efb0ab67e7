/**
 * The JSON Schemas of the package, taken from the OpenAPI document of the reference service: an order is described once.
 *
 * Only what draft-07 knows too is used, `$defs` aside, and no keyword that matters beside a `$ref`. No formats: some
 * validators refuse a schema with one that they were not given.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';

const ORDER = 'SalesOrderV2V3Put';

/** Writes them into the package: as files, and as TypeScript among its sources. */
export function writeOrderSchemas(pkg) {
  const schemas = orderSchemas();
  mkdirSync(join(pkg, 'schema'));
  for (const [name, schema] of Object.entries(schemas)) {
    writeFileSync(join(pkg, 'schema', `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
  }
  const { sentHeads, sentOrder, validOrder } = valuesOf(schemas);
  const lines = [
    '/** JSON Schemas as JSON, generated from the OpenAPI document of the reference service. */',
    `export const sentOrder: string = ${JSON.stringify(sentOrder)};`,
    `export const sentHeads: Record<'v2' | 'v3', { $id: string; description: string }> = ${JSON.stringify(sentHeads)};`,
    `export const validOrder: string = ${JSON.stringify(validOrder)};`,
  ];
  rmSync(join(pkg, 'src/order-schemas.d.ts'));
  writeFileSync(join(pkg, 'src/order-schemas.ts'), `${lines.join('\n')}\n`);
}

/** What both versions share stands there once. */
function valuesOf({ 'order-v2': v2, 'order-v3': v3, 'valid-order': valid }) {
  const head = ({ $id, description }) => ({ $id, description });
  const { $id, description, ...both } = v3;
  if (JSON.stringify({ ...v2, ...head(v3) }) !== JSON.stringify(v3))
    throw new Error('the versions differ in more than their heads');
  return {
    sentHeads: { v2: head(v2), v3: head(v3) },
    sentOrder: JSON.stringify(both),
    validOrder: JSON.stringify(valid),
  };
}

/** By file name: what is sent in both versions, what the service answers, and what a verdict holds. */
export function orderSchemas() {
  const document = JSON.parse(readFileSync(join(root, 'src/service/openapi.json'), 'utf8'));
  const { schemas } = document.components;
  const sent = ({ put }, version) => schemaOf(schemas, ORDER, version, `${put.summary}.`);
  return {
    'order-v2': sent(document.paths['/v2/ServiceOrder({orderId})'], 'order-v2'),
    'order-v3': sent(document.paths['/v3/ServiceOrder({orderId})'], 'order-v3'),
    'created-order': schemaOf(schemas, 'CreatedOrder', 'created-order', 'An order as the service answers it.'),
    'valid-order': schemaOf(
      { ...schemas, ...asGivenBack(schemas) },
      ORDER,
      'valid-order',
      'An order as a verdict of the package holds it.',
    ),
  };
}

function schemaOf(schemas, name, id, description) {
  const { own, $defs } = moved(schemas, name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:sales-order-intake:${id}`,
    description,
    ...own,
    $defs,
  };
}

/** A schema and all that it refers to, from where OpenAPI has them to where JSON Schema has them. */
function moved(schemas, name) {
  const $defs = {};
  const move = (schema) => {
    const text = JSON.stringify(schema, (key, value) => (key === 'format' ? undefined : value)).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    );
    for (const [, other] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (other in $defs) continue;
      $defs[other] = undefined; // its place, so that one that refers to itself ends
      $defs[other] = move(schemas[other]);
    }
    return JSON.parse(text);
  };
  return { own: move(schemas[name]), $defs };
}

/** What reading makes of an order: GUIDs in one form, decimals as text in plain notation, no read-only members (D1, D8, D22). */
function asGivenBack(schemas) {
  const properties = Object.entries(schemas[ORDER].properties).filter(([, property]) => !property.readOnly);
  const plain = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' };
  return {
    [ORDER]: { ...schemas[ORDER], properties: Object.fromEntries(properties) },
    Guid: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
    Amount: plain,
    Quantity: plain,
  };
}
