/** The simulation finds bugs that are planted in the store on PostgreSQL. */
import { describe } from 'node:test';
import { findsAll } from '../finds.mjs';
import { PLANTED_ON_POSTGRES } from '../planted.mjs';

const MOST_RUNS = 500;

describe('the simulation finds that', () => findsAll(PLANTED_ON_POSTGRES, MOST_RUNS));
