/** Runs a job in this process and prints its result as JSON: `job.mjs JOB ADDRESS`, with the address of the server. */
import { liveEdits, newIds, perLine, realisticMix, wholeOrders } from './jobs.mjs';
import { sending } from './send.mjs';
import { starts } from './start.mjs';

const [job = '', address] = process.argv.slice(2);
const jobs = { wholeOrders, realisticMix, perLine, liveEdits, newIds, starts, sending: () => sending(address) };
console.log(JSON.stringify(await jobs[job]()));
