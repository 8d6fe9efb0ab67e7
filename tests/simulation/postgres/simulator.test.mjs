/** On PostgreSQL, too, a seed decides everything. */
import { describe } from 'node:test';
import { repeats } from '../repeats.mjs';

describe('the world outbox on PostgreSQL', () => repeats('outbox on PostgreSQL'));
