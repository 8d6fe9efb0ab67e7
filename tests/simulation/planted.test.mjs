/** The simulation finds every planted bug. */
import { describe } from 'node:test';
import { findsAll } from './finds.mjs';
import { PLANTED } from './planted.mjs';

/** Several times as many as any of them took. */
const MOST_RUNS = 2000;

describe('the simulation finds that', () => findsAll(PLANTED, MOST_RUNS));
