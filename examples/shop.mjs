/** `make shop`: the shop of examples/shop, with the reference service beside it, until Ctrl-C. Everything is on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeOf } from '../scripts/node.mjs';
import { root, target } from '../scripts/places.mjs';
import { startDemoService } from '../scripts/service.mjs';

const SHOP = join(root, 'examples/shop');
/** The location that the shop sells at: examples/registry.toml has its taxes. */
const TILL = '/pos/1501/2302';
/** Of the page for operators. The shop is on loopback. */
const OFFICE_PASSWORD = 'tea';

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

async function main() {
  const interrupted = once(process, 'SIGINT');
  const service = await startDemoService({ keep: join(target, 'shop-till.ndjson') });
  const shop = await startShop({
    INTAKE_URL: service.baseUrl,
    INTAKE_TOKEN: service.token,
    DATABASE_FILE: join(target, 'shop.sqlite'),
    PORT: process.env.PORT ?? '3000',
    OFFICE_PASSWORD,
  });
  console.log(`\n  The shop      ${shop.url}`);
  console.log(`  The office    ${shop.url}office (operator, ${OFFICE_PASSWORD})`);
  console.log(`  The till      ${new URL(TILL, service.baseUrl)}`);
  console.log(
    '\n  Ctrl-C ends both. Change a price in examples/shop/catalogue.json while something is in the basket.\n',
  );
  await interrupted;
  await shop.stop();
  await service.stop();
}

/**
 * Starts the backend of the shop, after its pages were built, and waits until it takes requests.
 *
 * @param {Record<string, string>} settings Variables of its environment: examples/shop/server/main.ts lists them.
 * @returns {Promise<{ url: string, stop(signal?: NodeJS.Signals): Promise<void> }>}
 */
export async function startShop(settings) {
  // The package is a link to pkg/ here: its optional peers are found only if links are left as they are.
  const flags = ['--preserve-symlinks', '--disable-warning=ExperimentalWarning'];
  const child = spawn(nodeOf(24), [...flags, 'server/main.ts'], {
    cwd: SHOP,
    // Variables of this shell are not settings of the shop.
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    new Promise((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('shop ')) resolve(line.slice('shop '.length));
      });
    }),
    ended.then(([status]) => Promise.reject(new Error(`the shop ended with ${status}`))),
  ]);
  return {
    url,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}
