import { root } from '../scripts/places.mjs';
import { output } from '../scripts/run.mjs';
import * as figures from './figures.mjs';
import { firstTotals } from './first-total.mjs';
import { instructions } from './instructions.mjs';
import { median } from './measure.mjs';
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
await inEachPlace(async (place, jobs) => {
  const column = { place, figures: [] };
  columns.push(column);
  for (const [name, { job, figuresOf }] of Object.entries(JOBS))
    if (jobs[job]) await addTo(column, `${name}, ${place}`, jobs[job], figuresOf);
});
if (wants('P3')) columns[0].figures.push(...figures.sizeFigures(await sizes()));
if (wants('instructions')) columns[0].figures.push(...figures.instructionFigures(instructions()));
await addTo(columns[0], 'P6', load, figures.loadFigures);
await addTo(columns[0], 'P9, orders', outbox, figures.outboxFigures);
if (wants('P9')) columns[0].figures.push(...figures.outageFigures(await timed('P9, outages', outages)));
await addTo(columns[0], 'P10', relay, figures.relayFigures);
await addTo(columns[0], 'P11', files, figures.fileFigures);
await addTo(columns.at(-1), 'P12', firstTotals, figures.firstTotalFigures);

console.log(`${machine}\n\n${textOf(columns)}\n`);
if (chosen.length === 0) writeFigures(columns, machine);
const beyond = beyondLimits(columns);
if (beyond.length > 0) {
  console.error(`beyond the limits of benches/limits.json:\n${beyond.join('\n')}`);
  process.exitCode = 1;
}

/**
 * Adds the figures of a job if it was chosen. If one is beyond its limit, the job is done twice more, and the medians count: on a
 * busy machine, one run says little about a few hundredths.
 */
async function addTo({ place, figures }, name, job, figuresOf) {
  if (!wants(name.split(',')[0])) return;
  const runs = [figuresOf(await timed(name, job))];
  const isBeyond = beyondLimits([{ place, figures: runs[0] }]).length > 0;
  while (isBeyond && runs.length < 3) runs.push(figuresOf(await timed(name, job)));
  const medianOf = (index) => median(runs.map((run) => run[index].value));
  figures.push(...runs[0].map((figure, index) => ({ ...figure, value: medianOf(index) })));
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
