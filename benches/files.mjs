/**
 * P11: processor time of `check` for a file of 50,000 orders ÷ that of a script that a careful user would write
 * (peers/check-file.mjs). Both run as processes of their own, in turns. Prints JSON.
 * `node scripts/node.mjs 24 benches/files.mjs [orders] [turns]`
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pkg, root, target } from '../scripts/places.mjs';
import { median } from './measure.mjs';
import { writeOrderFiles } from './order-files.mjs';

const [orders = '50000', turns = '7'] = process.argv.slice(2);
const CHECK = [join(pkg, 'dist/cli/main.js'), 'check'];
const SCRIPT = [join(root, 'benches/peers/check-file.mjs')];
/** Prints the processor time of a process on its fourth stream, in microseconds, when it ends. */
const PRINT_TIME = `import { writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String(user + system));
});`;

mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(target, 'files-bench-'));
try {
  writeOrderFiles(folder, Number(orders));
  const csv = compared([...CHECK, 'orders.csv', '--map', 'mapping.json'], [...SCRIPT, 'orders.csv', 'mapping.json']);
  const ndjson = compared([...CHECK, 'orders.ndjson'], [...SCRIPT, 'orders.ndjson']);
  console.log(JSON.stringify({ csv, ndjson }));
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs both in turns; returns the median seconds of each, and the median ratio within a turn. */
function compared(check, script) {
  /** @type {{ own: number[], script: number[] }} */
  const times = { own: [], script: [] };
  for (let turn = 0; turn < Number(turns); turn++) {
    times.own.push(secondsOf(check));
    times.script.push(secondsOf(script));
  }
  const ratio = median(times.own.map((time, turn) => time / times.script[turn]));
  return { ratio, own: median(times.own), script: median(times.script) };
}

/** Runs a program; returns the processor time of its process. */
function secondsOf(args) {
  const printTime = `data:text/javascript,${encodeURIComponent(PRINT_TIME)}`;
  const { status, stdout, output } = spawnSync(process.execPath, ['--import', printTime, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stdout.slice(0, 1000)}`);
  return Number(output[3]) / 1e6;
}
