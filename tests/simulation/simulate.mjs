/**
 * Simulates client and outbox for a while, on all processors, from a seed that is printed: the part `simulation` of the
 * tests. SEED=… repeats what a seed did; SECONDS=… says how long, 20 by default; WORLDS=… simulates only some of
 * worlds.mjs. Fails if a history is wrong, and prints it.
 */
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { printed } from './history.mjs';
import { simulate, WrongHistory } from './runs.mjs';
import { system } from './sources.mjs';

const { SEED, SECONDS = '20', WORLDS } = process.env;
const [seed, ...path] = (SEED ?? `${randomInt(2 ** 31)}`).split(':');
/** A path leads to one history of one processor. */
const isOne = path.length > 0;

if (process.send) {
  process.on('message', async (/** @type {any} */ options) => {
    const { figures, wrong } = await simulate(await system(), options);
    // Any other error is one of the simulation itself.
    if (wrong && !(wrong.error instanceof WrongHistory)) throw wrong.error;
    const found = wrong && printed(wrong.error, `${options.seed}:${wrong.path}`);
    // A busy machine gives less of it.
    const { user, system: ofSystem } = process.cpuUsage();
    const cpuSeconds = (user + ofSystem) / 1e6;
    // Engines of simulated processes that were killed may have timers left, which would keep this process alive.
    process.send?.({ figures: { ...figures, cpuSeconds }, found }, undefined, {}, () => process.exit());
  });
} else {
  const all = await Promise.all(Array.from({ length: isOne ? 1 : availableParallelism() }, (_, index) => start(index)));
  const sum = (name) => all.reduce((total, { figures }) => total + figures[name], 0);
  const number = (name) => Math.round(sum(name)).toLocaleString('en');
  const counts = ['runs', 'outages', 'kills', 'orders', 'requests'].map((name) => `${number(name)} ${name}`);
  const time = `in ${SECONDS} s, with ${number('cpuSeconds')} s of processors`;
  console.log(`SEED=${seed}: ${counts.join(', ')} and ${number('hours')} hours simulated ${time}`);
  for (const { found } of all) if (found) console.log(`\n${found}`);
  process.exitCode = all.some(({ found }) => found) ? 1 : 0;
}

function start(index) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--no-warnings'] });
    child.once('message', resolve);
    child.once('exit', (status) => reject(new Error(`the simulation ended with ${status}`)));
    const worlds = WORLDS?.split(',');
    child.send({
      seed: Number(seed) + index,
      path: path.join(':'),
      ms: Number(SECONDS) * 1000,
      ...(worlds && { worlds }),
    });
  });
}
