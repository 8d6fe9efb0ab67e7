/**
 * A process of its own that takes orders as benches/server.mjs does, 70 ms later, and fails as its parent says:
 * `{ share }` of the requests fail, half with 503 and half with a cut connection; `{ isDown }` cuts every connection;
 * `{ asks }` answers 429 with a Retry-After of that many seconds. Reports the times of all requests when it is asked
 * for them with `{ report: true }`.
 */
import { createServer } from 'node:http';
import { listen } from '../scripts/ports.mjs';
import { answerTo } from './created-order.mjs';

const LATENCY_MS = 70;
let mode = {};
let times = [];

const server = createServer((request, response) => {
  times.push(Date.now());
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => setTimeout(() => answer(Buffer.concat(chunks).toString(), request, response), LATENCY_MS));
});

function answer(order, request, response) {
  const { share = 0, isDown = false, asks } = mode;
  if (isDown) return request.socket.destroy();
  if (asks) return response.writeHead(429, { 'Retry-After': String(asks) }).end();
  if (Math.random() < share) return Math.random() < 0.5 ? response.writeHead(503).end() : request.socket.destroy();
  const body = answerTo(order);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  return response.writeHead(201, headers).end(body);
}

process.on('message', ({ report, ...next }) => {
  if (report) return process.send?.({ times });
  mode = next;
  times = [];
  return process.send?.({ isSet: true });
});
process.send?.({ baseUrl: `http://127.0.0.1:${await listen(server)}` });
