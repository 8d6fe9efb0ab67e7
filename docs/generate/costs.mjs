/** Writes the table of "What it costs", from the limits of sizes and the figures of the benchmark. */

const ENTRIES = {
  '`newOrderId` alone': 'newOrderId alone, bundled and minified',
  'the default entry': 'default entry, bundled and minified',
  'slim and client, without the core': 'slim and client, bundled and minified',
  '`core.wasm`': 'core.wasm',
};
const IN_NODE = {
  'requests of the outbox during an outage, for each pause': 'requests during an outage, ÷ pauses',
  'requests before the time that `Retry-After` names, up to a minute': 'requests within Retry-After',
  'requests in the first second after an outage, ÷ `concurrency`':
    'requests in the first second after an outage, ÷ `concurrency`',
};

/** @param {(path: string) => string} read */
export function costTable(read) {
  const sizes = JSON.parse(read('scripts/check/size-budget.json'));
  const { columns } = JSON.parse(read('benches/figures.json'));
  const figureOf = (column, row, at) => {
    const figure = column.figures.find((each) => each.row === row && each.at === at);
    if (!figure) throw new Error(`benches/figures.json lacks ${row}, ${at}`);
    return figure.value;
  };
  const rows = Object.entries(ENTRIES).map(([name, key]) => [
    `a page that loads ${name}`,
    `at most ${(sizes[key].brotli / 1000).toFixed(1)} KB, compressed with brotli`,
  ]);
  const ofOneLine = 'P8 order of 1 line, µs';
  for (const column of columns.filter(({ figures }) => figures.some(({ row }) => row === ofOneLine)))
    rows.push([
      `time of an order of one line, in ${column.place}`,
      `${figureOf(column, ofOneLine, 'fixed cost').toFixed(1)} µs`,
    ]);
  for (const [name, at] of Object.entries(IN_NODE)) rows.push([name, `${figureOf(columns[0], 'P9 outbox', at)}`]);
  return ['| What | Cost |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}
