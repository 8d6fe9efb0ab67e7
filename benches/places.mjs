/** The environments of the measurements: Node, also as strict as a worker, and a page of Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, target } from '../scripts/places.mjs';
import { output } from '../scripts/run.mjs';
import { startService } from '../scripts/service.mjs';
import { startChromium } from '../tests/browser/chromium.mjs';

const JOBS = ['wholeOrders', 'realisticMix', 'perLine', 'liveEdits', 'newIds', 'sending'];
const NODE_JOBS = [...JOBS, 'starts'];
/** The versions of Node that most programs run in, and one that may generate no code, as in workers. */
const NODES = [
  { place: 'Node 24', version: 24, flags: [], jobs: NODE_JOBS },
  { place: 'Node 26', version: 26, flags: [], jobs: NODE_JOBS },
  {
    place: 'Without generated code, Node 24',
    version: 24,
    flags: ['--disallow-code-generation-from-strings'],
    jobs: ['wholeOrders', 'realisticMix', 'liveEdits'],
  },
];

/** The description of the machine below the table. */
export const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores`;

/** Runs `action` with the name of each environment and the jobs that can run in it. */
export async function inEachPlace(action) {
  const folder = mkdtempSync(join(target, 'bench-'));
  const server = await startService(process.execPath, [join(root, 'benches/server.mjs'), folder]);
  try {
    for (const { place, version, flags, jobs } of NODES) {
      const run = (name) => () => inNode(version, flags, name, server.baseUrl);
      await action(place, Object.fromEntries(jobs.map((name) => [name, run(name)])));
    }
    await inChromium(folder, server.baseUrl, action);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

function inNode(version, flags, job, address) {
  const args = ['scripts/node.mjs', String(version), ...flags, 'benches/job.mjs', job, address];
  const said = output(process.execPath, args, { cwd: root });
  if (!said) throw new Error(`the job ${job} failed in Node ${version}`);
  return JSON.parse(said.split('\n').pop() ?? '');
}

async function inChromium(folder, baseUrl, action) {
  await build({
    entryPoints: [join(root, 'benches/page.mjs')],
    bundle: true,
    minify: true,
    format: 'esm',
    outfile: join(folder, 'page.js'),
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'page.html'), '<!doctype html><script type="module" src="/page.js"></script>');
  const chromium = await startChromium();
  try {
    // As new as a process: what a job has left behind slows down the next.
    const inPage = (job) => async () => {
      const page = await chromium.newPage();
      await page.goto(baseUrl);
      const measured = await page.evaluate((job) => globalThis.measure[job](), job);
      await page.close();
      return measured;
    };
    await action(
      `Chromium ${chromium.version().split('.')[0]}`,
      Object.fromEntries(JOBS.map((job) => [job, inPage(job)])),
    );
  } finally {
    await chromium.close();
  }
}
