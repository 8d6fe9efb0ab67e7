/** P4: measures a fresh Node process, from import to the first verdict. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const TURNS = 21;

/** Returns the median milliseconds of both, and their median ratio. */
export function starts() {
  /** @type {Record<'own' | 'A', number[]>} */
  const times = { own: [], A: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    times.own.push(start('own.mjs'));
    times.A.push(start('peers/zod.mjs'));
  }
  const ratio = median(times.own.map((time, turn) => time / times.A[turn]));
  return { ms: { own: median(times.own), A: median(times.A) }, ratio: { A: ratio } };
}

function start(stack) {
  const program = `
    import { orderOf } from './orders.mjs';
    const order = orderOf(10);
    const start = performance.now();
    const { prepare } = await import('./${stack}');
    if (prepare(order).issues.length > 0) throw new Error('a valid order was rejected');
    console.log(performance.now() - start);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
