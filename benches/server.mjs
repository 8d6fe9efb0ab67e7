/**
 * A process of its own for what is measured from outside: it takes every order, answers as the reference service does, and
 * serves the files of a folder as pages. `node server.mjs [folder]`
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '../scripts/ports.mjs';
import { answerTo } from './created-order.mjs';

const [folder] = process.argv.slice(2);
const PAGES = { '/': ['page.html', 'text/html'], '/page.js': ['page.js', 'text/javascript'] };

const server = createServer((request, response) => {
  if (request.method === 'PUT') return take(request, response);
  const [file, type] = PAGES[request.url] ?? [];
  if (!folder || !file) return response.writeHead(404).end();
  // Isolated pages have timers fine enough to measure with.
  const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  return response.writeHead(200, { 'Content-Type': type, ...isolated }).end(readFileSync(join(folder, file)));
});

function take(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = answerTo(Buffer.concat(chunks).toString());
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(201, headers).end(body);
  });
}

console.log(`base http://127.0.0.1:${await listen(server)}`);
