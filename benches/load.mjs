/**
 * Measures durable orders per second, on SQLite, on PostgreSQL (if TEST_DATABASE_URL names a cluster), and of the peer in
 * benches/fastify. `node benches/load.mjs [connections] [seconds] [rounds]`, after a release build; `make test ONLY=load` does both.
 *
 * Other programs disturb the measurement, so the services take turns, each with a new database in every round, and the
 * result is the median of the rounds' ratios.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { program, root } from '../scripts/places.mjs';
import { output, run } from '../scripts/run.mjs';
import { startNativeService, startService } from '../scripts/service.mjs';

/** The fields of /proc/<pid>/stat with user and system time, of the process and of its children that have ended. */
const OWN = 11;
const CHILDREN = 13;
const [connections = '128', seconds = '5', rounds = '3'] = process.argv.slice(2);
const release = join(root, 'target/release');
const peer = join(root, 'benches/fastify');
// On the disk of the clone: a file system in memory would be too fast.
const folder = mkdtempSync(join(root, 'target/load-'));

console.log(
  `${cpus()[0].model}, ${cpus().length} cores; ${connections} connections for ${seconds} s; load generator on the same machine`,
);
const ratios = [];
try {
  // Dependencies are installed without their scripts: one of them compiles SQLite.
  if (!existsSync(program('better-sqlite3/build/Release'))) run('npm', ['rebuild', 'better-sqlite3'], { cwd: root });
  const service = (database) => startNativeService({ database, build: 'release' });
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
    // The load generator competes with the service for cores, so its time is shown too.
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

/**
 * Returns the CPU time that a process has used, without that of a database server; `NaN` if the system does not report
 * it.
 */
function cpuSeconds(pid, first) {
  if (!existsSync(`/proc/${pid}/stat`)) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) / 100;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
