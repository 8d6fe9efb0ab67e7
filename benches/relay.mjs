/**
 * P10: orders that the relay accepts a second, durably, ÷ those of a bare Fastify with better-sqlite3 that stores their
 * bodies and checks nothing. The service is down, so that accepting alone is measured. Also the memory of the relay
 * after 30,000 orders that were delivered. Prints JSON. `node benches/relay.mjs [connections] [seconds] [rounds]`
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { program, root, target } from '../scripts/places.mjs';
import { output, run } from '../scripts/run.mjs';
import { startRelay, startService } from '../scripts/service.mjs';
import { median } from './measure.mjs';

const [connections = '64', seconds = '4', rounds = '5'] = process.argv.slice(2);
const FEW = 5_000;
const MANY = 30_000;
/** Nobody listens on this port. */
const NOBODY = 'http://127.0.0.1:2';
const LOAD = join(root, 'target/release/examples/load');
const BUILD_LOAD = ['--package', 'sales-order-intake-server', '--features', 'test-service', '--example', 'load'];

output('cargo', ['build', '--quiet', '--locked', '--release', ...BUILD_LOAD], { cwd: root });
// Dependencies are installed without their scripts: one of them compiles SQLite.
if (!existsSync(program('better-sqlite3/build/Release'))) run('npm', ['rebuild', 'better-sqlite3'], { cwd: root });
// On the disk of the clone: a file system in memory would be too fast.
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(target, 'relay-bench-'));
let files = 0;
const newFile = () => join(folder, `${files++}.sqlite`);

const startPeer = (...mode) =>
  startService(process.execPath, ['benches/fastify/bare.js', newFile(), ...mode], { cwd: root });

try {
  /** @type {Record<'relay' | 'bare' | 'together', number[]>} */
  const rates = { relay: [], bare: [], together: [] };
  for (let round = 0; round < Number(rounds); round++) {
    rates.relay.push(await accepted(() => startRelay(NOBODY, newFile())));
    rates.bare.push(await accepted(() => startPeer()));
    rates.together.push(await accepted(() => startPeer('together')));
  }
  const ratioTo = (peer) => median(rates.relay.map((rate, round) => rate / rates[peer][round]));
  const perSecond = Object.fromEntries(Object.entries(rates).map(([name, each]) => [name, median(each)]));
  const ratio = { bare: ratioTo('bare'), together: ratioTo('together') };
  console.log(JSON.stringify({ perSecond, ratio, memory: await memory() }));
} finally {
  rmSync(folder, { recursive: true });
}

/** Starts a service, and returns the orders a second that it accepts. */
async function accepted(start) {
  const service = await start();
  try {
    return load(service.baseUrl, seconds).perSecond;
  } finally {
    await service.stop();
  }
}

function load(baseUrl, time) {
  const line = output(LOAD, [baseUrl, 'no-token', connections, String(time)]);
  if (!line) throw new Error('the load generator failed');
  return JSON.parse(line);
}

/** Returns the MiB that a relay uses after few delivered orders, and after many. */
async function memory() {
  const service = await startService(process.execPath, [join(root, 'benches/server.mjs')]);
  const relay = await startRelay(service.baseUrl, newFile());
  try {
    const mebibytes = [];
    for (const least of [FEW, MANY]) {
      while ((await metric(relay, 'orders{state="created"}')) < least) {
        if ((await metric(relay, 'requests_total{route="order",status="202"}')) < least) load(relay.baseUrl, '1');
        else await setTimeout(200);
      }
      mebibytes.push(Math.round((await metric(relay, 'memory_bytes')) / 2 ** 20));
    }
    return { few: mebibytes[0], many: mebibytes[1] };
  } finally {
    await relay.stop();
    await service.stop();
  }
}

async function metric({ baseUrl }, name) {
  const lines = (await (await fetch(`${baseUrl}/metrics`)).text()).split('\n');
  const line = lines.find((each) => each.startsWith(`sales_order_relay_${name} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}
