/**
 * The server that the program talks to, on loopback: accepts orders, rejects those of company 422, serves the files of a
 * page and receives its report. Allows pages of other origins, because a bundler's own server may serve the page.
 */
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from '../../scripts/ports.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
};
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept',
};

/** Calls `action` with a server that serves folders under paths, `{ '/package/': folder }`, with `headers` on every file. */
export async function withLoopback(folders, action) {
  const loopback = { headers: {} };
  loopback.report = new Promise((reported) => {
    loopback.server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
      if (request.method === 'OPTIONS') return response.end();
      if (request.method === 'PUT') return take(pathname, request.headers.authorization, await text(request), response);
      if (request.method === 'POST')
        return text(request).then((body) => response.end(() => reported(JSON.parse(body))));
      return serve(folders, pathname, loopback.headers, response);
    });
  });
  loopback.base = `http://127.0.0.1:${await listen(loopback.server)}`;
  try {
    return await action(loopback);
  } finally {
    loopback.server.closeAllConnections();
    loopback.server.close();
  }
}

function take(path, authorization, body, response) {
  const answer = (status, value) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  const order = JSON.parse(body);
  if (authorization !== 'Bearer a-token') return answer(401, {});
  if (!path.endsWith(`/ServiceOrder(${order.Id})`)) return answer(404, {});
  if (order.CompanyId !== 422) return answer(201, { ...order, ReceiptNumber: 'R-1042' });
  return answer(422, {
    title: 'Refused',
    errors: [{ pointer: '/CompanyId', code: 'out_of_range', detail: 'No company has this number.' }],
  });
}

function serve(folders, path, headers, response) {
  const [prefix, folder] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? [];
  const file = prefix && join(folder, decodeURIComponent(path.slice(prefix.length)));
  if (!file || !statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  return response.writeHead(200, { 'Content-Type': type, ...headers }).end(readFileSync(file));
}
