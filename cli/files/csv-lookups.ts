import { EXIT, fileProblem, Problem, usageProblem } from '../problem.js';
import type { Lookup } from './csv-mapping.js';
import { openTable, SCIENTIFIC } from './csv-rows.js';
import { parsedJson, spanOfValue } from './json-location.js';
import type { Position } from './position.js';
import { EncodingProblem, type Stream, textChunks, wholeText } from './text-chunks.js';

/** Reads the files that a mapping looks values up in, each once. */
export async function readLookups(lookups: readonly Lookup[]): Promise<void> {
  const tables = new Map<string, Lookup['table']>();
  for (const lookup of lookups) {
    const { file, from, to, encodings, constant, position } = lookup;
    const id = JSON.stringify([file, from, to, encodings]);
    const table = tables.get(id) ?? (await tableOf(lookup));
    tables.set(id, table);
    lookup.table = table;
    if (constant !== undefined && !table.has(constant))
      throw usageProblem(`${position}: ${file} has no ${JSON.stringify(constant)}`, `Add it to ${file}.`);
  }
}

async function tableOf(lookup: Lookup): Promise<Lookup['table']> {
  const { file, encodings, position } = lookup;
  for (const [index, encoding] of encodings.entries()) {
    const table = new Table(lookup);
    try {
      if (/\.json$/i.test(file)) readJson(await wholeText(file), lookup, table);
      else await readCsv(textChunks(file, { encoding }), lookup, table);
      return table.values;
    } catch (error) {
      if (error instanceof EncodingProblem && index < encodings.length - 1) continue;
      // The mapping names a file, or a column, that does not exist.
      if (error instanceof Problem && error.exitCode === EXIT.usage)
        throw usageProblem(`${position}: ${error.message}`, error.hint);
      throw error;
    }
  }
  return new Map();
}

async function readCsv(chunks: Stream<string>, { file, from = '', to = '' }: Lookup, table: Table): Promise<void> {
  const options = { delimiter: undefined, quote: '"', columns: [from, to], findsDelimiter: true } as const;
  const { names, spanOf, pieces } = await openTable(file, chunks, options);
  const [key, value] = [names.indexOf(from), names.indexOf(to)];
  for await (const piece of pieces) {
    for (const row of piece) {
      const { cells, line } = row;
      if (cells.slice(names.length).some((cell) => cell !== '')) {
        // Its cells may be in other columns.
        const problem = `the row has ${cells.length} cells, but there are ${names.length} columns`;
        table.fail({ line, column: 1 }, problem, 'Put a cell that has the delimiter into quotes.');
      }
      table.add(cells[key] ?? '', cells[value] ?? '', () => spanOf({ row, index: value }), line);
    }
  }
}

/** Reads an object with a value for each name, or an array of objects. */
function readJson(json: string, { file, from, to }: Lookup, table: Table): void {
  const at = (path: (string | number)[]) => spanOfValue(json, path, 'value');
  const value = parsedJson(file, json, fileProblem);
  const add = (path: (string | number)[], key: unknown, found: unknown) => {
    for (const each of [key, found]) {
      if (!['string', 'number', 'boolean'].includes(typeof each))
        table.fail(at(path), 'a look-up needs strings, numbers or booleans');
      if (typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER)
        table.fail(at(path), 'a number with more than 15 digits loses some when it is read: write it as a string');
    }
    table.add(`${key}`.trim(), typeof found === 'number' ? found : `${found}`.trim(), () => at(path));
  };
  if (Array.isArray(value) && from !== undefined && to !== undefined) {
    for (const [index, each] of (value as Record<string, unknown>[]).entries()) {
      const missing = [from, to].find((name) => each?.[name] === undefined);
      if (missing !== undefined) table.fail(at([index]), `the object has no ${missing}`);
      add([index, to], each[from], each[to]);
    }
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && from === undefined) {
    for (const [key, found] of Object.entries(value)) add([key], key, found);
  } else {
    const problem =
      'a look-up needs an object with the values, or "from" and "to" in the mapping and an array of objects';
    table.fail(at([]), problem);
  }
}

/** The values of a file by what they are looked up with. */
class Table {
  readonly values = new Map<string, string | number>();
  readonly #lookup: Lookup;
  readonly #lines = new Map<string, number>();

  constructor(lookup: Lookup) {
    this.#lookup = lookup;
  }

  /** Adds a value; one without a key is never looked up. A table of CSV has its line. */
  add(key: string, value: string | number, position: () => Position, line?: number): void {
    if (key === '') return;
    const { to = 'value' } = this.#lookup;
    const text = JSON.stringify(key);
    const known = this.values.get(key);
    if (value === '') this.fail(position(), `the ${to} of ${text} is empty`, 'Fill it in, or delete the row.');
    if (SCIENTIFIC.test(key)) {
      const hint = 'Format the column as text, and export the file again.';
      this.fail(position(), `${text} was rounded by a spreadsheet`, hint);
    }
    if (known !== undefined && known !== value) {
      const earlier = this.#lines.get(key);
      const problem = `${text} has another ${to} ${earlier === undefined ? 'before' : `in line ${earlier}`}`;
      this.fail(position(), problem, 'Delete the wrong one.');
    }
    if (known !== undefined) return;
    this.values.set(key, value);
    if (line !== undefined) this.#lines.set(key, line);
  }

  fail({ line, column }: Position, problem: string, hint?: string): never {
    throw fileProblem(`${this.#lookup.file}:${line}:${column}: ${problem}`, hint);
  }
}
