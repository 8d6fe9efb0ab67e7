/** Describes JSON Schemas of the OpenAPI document in Markdown. */

/** Returns a section for each schema: its description and a table of its members. */
export function schemaSections(schemas) {
  return Object.entries(schemas).map(([name, schema]) => `### ${name}\n\n${sectionOf(schema)}`);
}

/** Returns the name of the schema that a reference points to. */
export const nameOf = (ref) => ref.slice(ref.lastIndexOf('/') + 1);

function sectionOf(schema) {
  const parts = [schema.description ?? ''];
  for (const { $ref } of schema.allOf ?? []) if ($ref) parts.push(`All members of ${linkTo($ref)}.`);
  if (schema.allOf && schema.required) parts.push(`Always present: ${codes(schema.required)}.`);
  if (schema.properties) parts.push(membersOf(schema));
  else if (!schema.allOf) parts.push(typeOf(schema));
  return parts.filter(Boolean).join('\n\n');
}

function membersOf({ properties = {}, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const notes = [schema.description ?? schema.items?.description, schema.readOnly && 'Read-only.'];
    const note = notes.filter(Boolean).join(' ');
    return `| \`${name}\` | ${typeOf(schema)} | ${required.includes(name) ? 'yes' : ''} | ${note} |`;
  });
  return ['| Member | Type | Required | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** @returns {string} */
function typeOf(schema) {
  if (schema.$ref) return linkTo(schema.$ref);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return valuesOf(schema.enum);
  const names = [schema.type ?? 'any value'].flat().map((type) => typeNamed(type, schema));
  return names.join(' or ');
}

function typeNamed(type, schema) {
  if (type === 'null') return type;
  if (type === 'array' && schema.items) return `array of ${typeOf(schema.items)}${boundsOf(schema)}`;
  if (schema.format) return `${type} (${schema.format})`;
  return `${type}${boundsOf(schema)}`;
}

const BOUNDS = {
  minimum: 'at least',
  exclusiveMinimum: 'greater than',
  maximum: 'at most',
  minItems: 'at least',
  maxItems: 'at most',
};

function boundsOf(schema) {
  const bounds = Object.entries(BOUNDS).filter(([keyword]) => schema[keyword] !== undefined);
  const texts = bounds.map(([keyword, words]) => `${words} ${number(schema[keyword])}`);
  return texts.length > 0 ? ` (${texts.join(', ')})` : '';
}

const MANY = 20;

function valuesOf(values) {
  if (values.length > MANY) return `one of ${values.length} values`;
  return values.map((value) => `\`${value}\``).join(', ');
}

const linkTo = (ref) => `[${nameOf(ref)}](#${nameOf(ref).toLowerCase()})`;
const codes = (names) => names.map((name) => `\`${name}\``).join(', ');
const number = (value) => value.toLocaleString('en');
