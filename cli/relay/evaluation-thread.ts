/** The thread of large evaluations: gets one at a time, and responds to each. */
import { parentPort } from 'node:worker_threads';
import { evaluated, type Evaluation } from './evaluation.js';

parentPort?.on('message', (evaluation: Evaluation) => parentPort?.postMessage(evaluated(evaluation)));
