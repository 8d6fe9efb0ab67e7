/** The peer of /evaluate: Fastify with zod and decimal.js. Prints its base URL and `token`. `node benches/fastify/evaluate.js` */
import fastify from 'fastify';
import { prepare } from '../peers/zod.mjs';

const server = fastify();
server.post('/evaluate', (request) => {
  const { issues, body: _, ...totals } = prepare(request.body.order);
  return { ok: issues.length === 0, issues, totals };
});
const address = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(`token none\nbase URL ${address}`);
process.once('SIGTERM', () => process.exit());
