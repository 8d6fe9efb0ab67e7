import { type Extent, type JsonPart, partsOf, spaceEnd } from '../../pkg-template/src/json-parts.js';
import { usageProblem } from '../problem.js';
import { type Part, type Span, spanIn } from './position.js';

/** Finds a value in JSON by its path; see `ValueLocator`. */
export function spanOfValue(json: string, path: readonly (string | number)[], part: Part): Span {
  const { start, end } = new ValueLocator(json).locate(path, part);
  return spanIn(json, { line: 1, column: 1 }, start, end);
}

/** Returns `file:line:column` of a value in the JSON of a file. */
export function positionIn(file: string, json: string, path: readonly (string | number)[], part: Part): string {
  const { line, column } = spanOfValue(json, path, part);
  return `${file}:${line}:${column}`;
}

/** Returns the path of a member that its record has more than once: readers take the last one. A comment may be repeated. */
function repeatedMember(json: string, start = spaceEnd(json, 0)): (string | number)[] | undefined {
  const names = new Set<string | number>();
  for (const { key, value } of partsOf(json, start)) {
    if (key !== '//' && names.size === names.add(key).size) return [key];
    const path = repeatedMember(json, value.start);
    if (path) return [key, ...path];
  }
  return undefined;
}

/** Parses the JSON of a file. @throws what `problem` returns if it is not JSON, or has a member twice. */
export function parsedJson(
  file: string,
  json: string,
  problem = usageProblem,
  revive?: Parameters<typeof JSON.parse>[1],
): unknown {
  let value: unknown;
  let repeated: (string | number)[] | undefined;
  try {
    value = JSON.parse(json, revive);
    repeated = repeatedMember(json);
  } catch (error) {
    throw problem(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  if (!repeated) return value;
  throw problem(`${positionIn(file, json, repeated, 'name')}: ${JSON.stringify(repeated.at(-1))} is there twice`);
}

/** Finds values in JSON. It remembers where the members of a record are, so that many values are found in one pass. */
export class ValueLocator {
  readonly #json: string;
  /** By the offset of their record or array. */
  readonly #parts = new Map<number, ReadonlyMap<string | number, JsonPart>>();

  constructor(json: string) {
    this.#json = json;
  }

  /**
   * Finds a value by its path: the record if a member is missing, the last one if it is repeated.
   * JSON with errors is followed as far as possible.
   */
  locate(path: readonly (string | number)[], part: Part): Extent {
    let start = spaceEnd(this.#json, 0);
    for (const [depth, segment] of path.entries()) {
      const parts =
        this.#parts.get(start) ?? new Map(partsOf(this.#json, start).map((each) => [each.key, each] as const));
      this.#parts.set(start, parts);
      const found = parts.get(segment);
      // The member is missing: returns the beginning of the record, not all of it.
      if (!found) break;
      if (depth === path.length - 1) return (part === 'name' && found.name) || found.value;
      start = found.value.start;
    }
    return { start, end: Math.min(start + 1, this.#json.length) };
  }
}
