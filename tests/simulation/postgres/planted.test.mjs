/** The simulation finds bugs that are planted in the store on PostgreSQL. */
import { describe } from 'node:test';
import { findsAll } from '../finds.mjs';
import { PLANTED_ON_POSTGRES } from '../planted.mjs';

const MOST_RUNS = 500;

/** Each takes up to a minute: `make test-all` has the first one, `make nightly` all. */
const planted = Object.entries(PLANTED_ON_POSTGRES).slice(0, process.env.PLANTED === 'all' ? undefined : 1);

describe('the simulation finds that', () => findsAll(Object.fromEntries(planted), MOST_RUNS));
