/**
 * Durable orders a second, on SQLite, on PostgreSQL (where TEST_DATABASE_URL names a cluster), and of the peer in
 * benches/fastify. `node scripts/load.mjs [connections] [seconds] [rounds]`, after a release build; `make load` does both.
 *
 * The machine is seldom alone: all of them take turns, each with a new database in every round, and what counts is the
 * median of the rounds and of their ratios.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root } from './places.mjs';
import { output, run } from './run.mjs';
import { startDemoService, startService } from './service.mjs';

/** Where /proc/<pid>/stat has user and system time of the process, and of its children that have ended. */
const OWN = 11;
const CHILDREN = 13;
const [connections = '128', seconds = '5', rounds = '3'] = process.argv.slice(2);
const release = join(root, 'target/release');
const peer = join(root, 'benches/fastify');
// On the disk that the clone is on: what is in memory only is soon durable.
const folder = mkdtempSync(join(root, 'target/load-'));

console.log(
  `${cpus()[0].model}, ${cpus().length} cores; ${connections} connections for ${seconds} s; load generator on the same machine`,
);
const ratios = [];
try {
  run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: peer });
  const service = (database) => startDemoService({ database, build: 'release' });
  for (let round = 1; round <= Number(rounds); round += 1) {
    const own = await measure('reference service, SQLite', () =>
      service(`sqlite:${join(folder, `orders-${round}.sqlite`)}`),
    );
    const other = await measure('Fastify, ajv, SQLite', () =>
      startService('node', ['server.js', join(folder, `peer-${round}.sqlite`)], { cwd: peer }),
    );
    if (process.env.TEST_DATABASE_URL) {
      await measure('reference service, PostgreSQL', () => service(process.env.TEST_DATABASE_URL));
    }
    ratios.push(own / other);
  }
  console.log(`${median(ratios).toFixed(1)} times the peer (${ratios.map((ratio) => ratio.toFixed(1)).join(', ')})`);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(name, start) {
  const service = await start();
  try {
    const before = cpuSeconds('self', CHILDREN);
    const line = output(join(release, 'examples/load'), [service.baseUrl, service.token, connections, seconds]);
    if (!line) throw new Error(`${name}: the load generator failed`);
    const { orders, perSecond, p50Ms, p99Ms } = JSON.parse(line);
    // The load generator needs cores too: where they are few, what it takes the service does not get.
    const each = (seconds) => ((seconds * 1e6) / orders).toFixed(1);
    const cpu = Number.isNaN(before)
      ? ''
      : `   CPU an order: ${each(cpuSeconds(service.pid, OWN))} µs, load generator ${each(cpuSeconds('self', CHILDREN) - before)} µs`;
    console.log(
      `${name.padEnd(30)} ${String(perSecond).padStart(6)} orders/s   p50 ${p50Ms} ms   p99 ${p99Ms} ms${cpu}`,
    );
    return perSecond;
  } finally {
    await service.stop();
  }
}

/** What a process has used so far, without that of a database server; `NaN` if the system does not tell. */
function cpuSeconds(pid, first) {
  if (!existsSync(`/proc/${pid}/stat`)) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) / 100;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
