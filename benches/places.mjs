/** The two environments of the measurements: this Node, and a page of Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, target } from '../scripts/places.mjs';
import { startService } from '../scripts/service.mjs';
import { startChromium } from '../tests/browser/chromium.mjs';
import { liveEdits, newIds, perLine, realisticMix, wholeOrders } from './jobs.mjs';
import { sending } from './send.mjs';
import { starts } from './start.mjs';

/** The description of the machine below the table. */
export const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores`;

/** Runs `action` with the name of each environment and the jobs that can run in it. */
export async function inEachPlace(action) {
  const folder = mkdtempSync(join(target, 'bench-'));
  const server = await startService(process.execPath, [join(root, 'benches/server.mjs'), folder]);
  try {
    const node = {
      wholeOrders,
      realisticMix,
      perLine,
      liveEdits,
      newIds,
      starts,
      sending: () => sending(server.baseUrl),
    };
    await action(`Node ${process.versions.node.split('.')[0]}`, node);
    await inChromium(folder, server.baseUrl, action);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
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
    const page = await chromium.newPage();
    await page.goto(baseUrl);
    const inPage = (job) => () => page.evaluate((job) => globalThis.measure[job](), job);
    const jobs = ['wholeOrders', 'realisticMix', 'perLine', 'liveEdits', 'newIds', 'sending'];
    await action(
      `Chromium ${chromium.version().split('.')[0]}`,
      Object.fromEntries(jobs.map((job) => [job, inPage(job)])),
    );
  } finally {
    await chromium.close();
  }
}
