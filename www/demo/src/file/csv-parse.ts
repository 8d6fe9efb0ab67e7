/** The parser of CSV for browsers, whose streams lack what the command line uses of those of Node. */
import { CsvError, type Options, parse as parserOf } from 'csv-parse/browser/esm';

export { CsvError };

export function parse(options: Options) {
  const parser = Object.assign(parserOf(options), { errored: null as Error | null });
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve);
    parser.on('error', (error) => {
      parser.errored = error;
      resolve();
    });
  });
  return Object.assign(parser, {
    /** Yields the rest of the rows. */
    async *[Symbol.asyncIterator]() {
      const rows: unknown[] = [];
      parser.on('data', (row) => rows.push(row));
      await ended;
      yield* rows;
      if (parser.errored) throw parser.errored;
    },
  });
}
