import { root } from '../scripts/places.mjs';
import { output } from '../scripts/run.mjs';
import * as figures from './figures.mjs';
import { firstTotals } from './first-total.mjs';
import { instructions } from './instructions.mjs';
import { inEachPlace, machine } from './places.mjs';
import { beyondLimits, textOf, writeFigures } from './report.mjs';
import { sizes } from './sizes.mjs';

const chosen = process.argv.slice(2);
const wants = (job) => chosen.length === 0 || chosen.includes(job);

const WITH_SQLITE = ['scripts/node.mjs', '24', '--no-warnings'];

/** The jobs inside one process or page. */
const JOBS = {
  P1: { job: 'wholeOrders', figuresOf: figures.wholeOrderFigures },
  P1b: { job: 'realisticMix', figuresOf: figures.realisticMixFigures },
  P2: { job: 'liveEdits', figuresOf: figures.liveEditFigures },
  P4: { job: 'starts', figuresOf: figures.startFigures },
  P5: { job: 'newIds', figuresOf: figures.newIdFigures },
  P7: { job: 'sending', figuresOf: figures.sendingFigures },
  P8: { job: 'perLine', figuresOf: figures.perLineFigures },
};

const columns = [];
await inEachPlace(async (place, jobs) => columns.push({ place, figures: await measured(place, jobs) }));
if (wants('P3')) columns[0].figures.push(...figures.sizeFigures(await sizes()));
if (wants('instructions')) columns[0].figures.push(...figures.instructionFigures(instructions()));
if (wants('P6')) columns[0].figures.push(...figures.loadFigures(await timed('P6', load)));
if (wants('P9')) {
  columns[0].figures.push(...figures.outboxFigures(await timed('P9, orders', outbox)));
  columns[0].figures.push(...figures.outageFigures(await timed('P9, outages', outages)));
}
if (wants('P10')) columns[0].figures.push(...figures.relayFigures(await timed('P10', relay)));
if (wants('P11')) columns[0].figures.push(...figures.fileFigures(await timed('P11', files)));
if (wants('P12')) columns.at(-1).figures.push(...figures.firstTotalFigures(await timed('P12', firstTotals)));

console.log(`${machine}\n\n${textOf(columns)}\n`);
if (chosen.length === 0) writeFigures(columns, machine);
const beyond = beyondLimits(columns);
if (beyond.length > 0) {
  console.error(`beyond the limits of benches/limits.json:\n${beyond.join('\n')}`);
  process.exitCode = 1;
}

/** Does the jobs that were chosen and can run in this place. */
async function measured(place, jobs) {
  const found = [];
  for (const [name, { job, figuresOf }] of Object.entries(JOBS))
    if (wants(name) && jobs[job]) found.push(...figuresOf(await timed(`${name}, ${place}`, jobs[job])));
  return found;
}

/** Does a job, and prints how long it took. */
async function timed(name, job) {
  const start = performance.now();
  const result = await job();
  console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${name}`);
  return result;
}

/** Runs the part `load` of the tests and returns how many times as many orders as the peer the service stores. */
function load() {
  const said = output(process.execPath, ['tests/runner/run.mjs'], { cwd: root, env: { ...process.env, ONLY: 'load' } });
  const times = said?.match(/([\d.]+) times the peer/)?.[1];
  if (times === undefined) throw new Error('the part load printed no "… times the peer"');
  return Number(times);
}

/** Runs benches/outbox.mjs with a Node that has SQLite, and a private PostgreSQL. */
function outbox() {
  return printedBy('scripts/with-postgres.mjs', process.execPath, ...WITH_SQLITE, 'benches/outbox.mjs');
}

/** Runs benches/outages.mjs with a Node that has SQLite. */
function outages() {
  return printedBy(...WITH_SQLITE, 'benches/outages.mjs');
}

/** Runs benches/relay.mjs. */
function relay() {
  return printedBy('benches/relay.mjs');
}

/** Runs benches/files.mjs with Node 24. */
function files() {
  return printedBy('scripts/node.mjs', '24', 'benches/files.mjs');
}

/** Runs a script, and returns the JSON in the last line that it prints. */
function printedBy(...args) {
  const said = output(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  if (!said) throw new Error(`${args.at(-1)} failed`);
  return JSON.parse(said.split('\n').pop() ?? '');
}
