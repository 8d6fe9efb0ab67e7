/**
 * P11: processor time of `check` for a file of 50,000 orders ÷ that of a script that a careful user would write
 * (peers/check-file.mjs). Both run as processes of their own, in turns. Also the time and memory of the same CSV with article
 * numbers, each of which is looked up in a file of 100,000. Prints JSON.
 * `node scripts/node.mjs 24 benches/files.mjs [orders] [turns]`
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pkg, root, target } from '../scripts/places.mjs';
import { median } from './measure.mjs';
import { writeOrderFiles } from './order-files.mjs';

const [orders = '50000', turns = '7'] = process.argv.slice(2);
const CHECK = [join(pkg, 'dist/cli/main.js'), 'check'];
const SCRIPT = [join(root, 'benches/peers/check-file.mjs')];
/** Prints the processor time of a process in microseconds, and its largest memory in KB, on its fourth stream when it ends. */
const PRINT_USAGE = `import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify([user + system, process.resourceUsage().maxRSS]));
});`;
const ARTICLES = 100_000;

mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(target, 'files-bench-'));
try {
  writeOrderFiles(folder, Number(orders));
  const csv = compared([...CHECK, 'orders.csv', '--map', 'mapping.json'], [...SCRIPT, 'orders.csv', 'mapping.json']);
  const ndjson = compared([...CHECK, 'orders.ndjson'], [...SCRIPT, 'orders.ndjson']);
  writeLookup();
  const runs = Array.from({ length: Number(turns) }, () => usageOf([...CHECK, 'articles.csv', '--map', 'lookup.json']));
  const seconds = median(runs.map(([time]) => time));
  const megabytes = median(runs.map(([, memory]) => memory));
  console.log(JSON.stringify({ csv, ndjson, lookups: { seconds, megabytes } }));
} finally {
  rmSync(folder, { recursive: true });
}

/** Writes articles.csv, the orders with a number in place of each article's Id, and lookup.json and sku.csv, which have the Ids. */
function writeLookup() {
  const numbers = new Map();
  const numberOf = (id) => {
    if (!numbers.has(id)) numbers.set(id, `SKU-${numbers.size % ARTICLES}`);
    return numbers.get(id);
  };
  // The Id of an article comes before quantity and price.
  const rows = readFileSync(join(folder, 'orders.csv'), 'utf8').replace(
    /,([0-9a-f-]{36})(?=,[^,\n]*,[^,\n]*$)/gm,
    (_, id) => `,${numberOf(id)}`,
  );
  const ids = Array.from(
    { length: ARTICLES },
    (_, n) => `SKU-${n};0f1d2c3b-4a59-4687-8594-${String(n).padStart(12, '0')}`,
  );
  const mapping = JSON.parse(readFileSync(join(folder, 'mapping.json'), 'utf8'));
  const items = {
    ...mapping.items,
    CatalogItemId: { column: 'Product id', lookup: 'sku.csv', from: 'sku', to: 'guid' },
  };
  writeFileSync(join(folder, 'articles.csv'), rows);
  writeFileSync(join(folder, 'sku.csv'), ['sku;guid', ...ids, ''].join('\n'));
  writeFileSync(join(folder, 'lookup.json'), JSON.stringify({ ...mapping, items }));
}

/** Runs both in turns; returns the median seconds of each, the memory of the first, and the median ratio within a turn. */
function compared(check, script) {
  /** @type {{ own: number[], script: number[], memory: number[] }} */
  const all = { own: [], script: [], memory: [] };
  for (let turn = 0; turn < Number(turns); turn++) {
    const [seconds, megabytes] = usageOf(check);
    all.own.push(seconds);
    all.memory.push(megabytes);
    all.script.push(usageOf(script)[0]);
  }
  const ratio = median(all.own.map((time, turn) => time / all.script[turn]));
  return { ratio, own: median(all.own), script: median(all.script), megabytes: median(all.memory) };
}

/** Runs a program; returns the processor time of its process in seconds, and its largest memory in MB. */
function usageOf(args) {
  const printUsage = `data:text/javascript,${encodeURIComponent(PRINT_USAGE)}`;
  const { status, stdout, output } = spawnSync(process.execPath, ['--import', printUsage, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stdout.slice(0, 1000)}`);
  const [microseconds, kilobytes] = JSON.parse(output[3] ?? '');
  return [microseconds / 1e6, kilobytes / 1000];
}
