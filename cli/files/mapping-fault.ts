import schema from './mapping-schema.json';

/** The keywords of JSON Schema that the schema of mappings uses, and the message of an editor. */
interface Schema {
  $ref?: string;
  anyOf?: readonly Schema[];
  const?: unknown;
  enum?: readonly unknown[];
  type?: string;
  pattern?: string;
  minItems?: number;
  items?: Schema;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  description?: string;
  errorMessage?: string;
}

export type Path = readonly (string | number)[];

/** What is wrong in a mapping. */
interface Fault {
  path: Path;
  /** Undefined if the schema has no message: the value around it has one. */
  problem: string | undefined;
  hint?: string;
}

/** Finds the first part of a mapping that its JSON Schema does not allow. Comments are removed before. */
export function faultIn(value: unknown, path: Path = [], given: Schema = schema): Fault | undefined {
  const { $ref, errorMessage, anyOf, ...own } = given;
  if ($ref !== undefined) return faultIn(value, path, definitions[$ref.slice('#/$defs/'.length)]);
  const wrong: Fault = { path, problem: errorMessage && `${nameOf(path)} ${errorMessage}` };
  if (anyOf) {
    const faults = anyOf.map((each) => faultIn(value, path, each));
    // One about a part of the value is that of the alternative that was meant.
    return faults.includes(undefined) ? undefined : (faults.find((fault) => fault?.problem) ?? wrong);
  }
  if (!isMet(own, value)) return wrong;
  const { properties = {}, additionalProperties, items, required = [] } = own;
  const record = (own.type === 'object' ? value : {}) as Readonly<Record<string, unknown>>;
  // A name that is not known comes before the one that it was meant to be.
  for (const name of new Set([...Object.keys(record), ...required])) {
    const member = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const names = Object.keys(properties).filter((each) => each !== '//');
    const problem = `${name} is not a member of ${nameOf(path)}`;
    if (member === false) return { path: [...path, name], problem, hint: `They are ${names.join(', ')}.` };
    const fault = typeof member === 'object' && faultIn(record[name], [...path, name], member);
    if (fault) return fault.problem ? fault : wrong;
  }
  for (const [index, item] of items ? (value as unknown[]).entries() : []) {
    const fault = faultIn(item, [...path, index], items);
    if (fault) return fault.problem ? fault : wrong;
  }
  return undefined;
}

const definitions: Readonly<Record<string, Schema>> = schema.$defs;

function nameOf(path: Path): string {
  const last = path.at(-1) ?? 'the mapping';
  return typeof last === 'number' ? path.slice(-2).join('.') : last;
}

/** Checks what a schema says about a value as a whole. */
function isMet(given: Schema, value: unknown): boolean {
  const { type, pattern = '', minItems = 0, enum: all } = given;
  if ('const' in given) return value === given.const;
  if (all) return all.includes(value);
  if (type === 'array') return Array.isArray(value) && value.length >= minItems;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === undefined || (typeof value === type && new RegExp(pattern).test(`${value}`));
}
