/**
 * Generates the JSON Schemas of the package from the OpenAPI document of the reference service, the only description of orders.
 *
 * Uses only keywords of draft-07, except `$defs`, and no keyword that has an effect next to a `$ref`. Uses no formats, because
 * some validators reject a schema with an unknown format. Leaves out the descriptions of members, 3.5 KB of every program that
 * imports the default entry as a whole; the TypeScript types have them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.mjs';

const ORDER = 'SalesOrderV2V3Put';

/** Writes them into the package as files, and that of mappings. */
export function writeOrderSchemas(pkg) {
  mkdirSync(join(pkg, 'schema'));
  const schemas = orderSchemas();
  for (const [name, schema] of Object.entries({ ...schemas, mapping: mappingSchema(schemas['order-v3']) })) {
    writeFileSync(join(pkg, 'schema', `${name}.json`), `${JSON.stringify(schema)}\n`);
  }
}

/** Returns the schema of mappings, with the members of the records of an order. */
function mappingSchema({ properties, $defs }) {
  const text = readFileSync(join(root, 'cli/files/mapping-schema.json'), 'utf8');
  // Strict validators reject keywords that they don't know.
  const schema = JSON.parse(text, (keyword, value) => (keyword === 'errorMessage' ? undefined : value));
  const { SalesOrderV2V3PutOrderItem: item, SalesOrderV2V3PutOrderTax: tax, InvoiceDiscount: discount } = $defs;
  const record = (members) => {
    const names = Object.keys(members).filter((name) => !members[name].readOnly);
    const origin = { $ref: '#/$defs/Origin' };
    const known = Object.fromEntries(names.map((name) => [name, origin]));
    return { ...schema.$defs.Record, properties: { '//': {}, ...known } };
  };
  const [Order, Item, Tax, Discount] = [properties, item.properties, tax.properties, discount.properties].map(record);
  const { Record: _, ...others } = schema.$defs;
  return { ...schema, $defs: { ...others, Order, Item, Tax, Discount } };
}

/** Returns the module that pkg-template/src/order-schemas.d.ts declares. */
export function orderSchemasModule() {
  const values = Object.entries(valuesOf(orderSchemas()));
  return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join('');
}

/** Returns the schemas as JSON; what both versions share is included once. */
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

/** Returns the schemas by file name: the orders that are sent in both versions, returned by the service, and in a verdict. */
export function orderSchemas() {
  const document = JSON.parse(readFileSync(join(root, 'service/rules/src/openapi.json'), 'utf8'));
  const { schemas } = document.components;
  const sent = ({ put }, version) => schemaOf(schemas, ORDER, version, `${put.summary}.`);
  return {
    'order-v2': sent(document.paths['/v2/ServiceOrder({orderId})'], 'order-v2'),
    'order-v3': sent(document.paths['/v3/ServiceOrder({orderId})'], 'order-v3'),
    'created-order': schemaOf(schemas, 'CreatedOrder', 'created-order', 'An order as the service returns it.'),
    'valid-order': schemaOf(
      { ...schemas, ...asGivenBack(schemas) },
      ORDER,
      'valid-order',
      'A valid order, as a verdict of the package contains it.',
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

/** Moves a schema, and the schemas that it refers to, from `components` of OpenAPI to `$defs` of JSON Schema. */
function moved(schemas, name) {
  const $defs = {};
  const move = (schema) => {
    const text = JSON.stringify(schema, kept).replaceAll('#/components/schemas/', '#/$defs/');
    for (const [, other] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (other in $defs) continue;
      $defs[other] = undefined; // Reserved, so that a schema that refers to itself ends the recursion.
      $defs[other] = move(schemas[other]);
    }
    return JSON.parse(text);
  };
  return { own: move(schemas[name]), $defs };
}

/** Returns what is kept of the value of a keyword. */
function kept(keyword, value) {
  if (keyword === 'format') return undefined;
  if (keyword !== 'properties') return value;
  const members = Object.entries(value).map(([name, { description, ...member }]) => [name, member]);
  return Object.fromEntries(members);
}

/** Returns the schemas of a valid order: GUIDs in form D, decimals as plain strings, no read-only members (D1, D8, D22). */
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
