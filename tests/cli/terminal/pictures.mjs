/** `make test ONLY=pictures`: takes the pictures of a terminal with a first export: with errors, and corrected and sent. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../../scripts/places.mjs';
import { startChromium } from '../../browser/chromium.mjs';
import { pictureOf } from '../../browser/picture.mjs';
import { cleanEnv, folderOf, MAIN, run, TOKEN } from '../program.mjs';
import { served } from '../served.mjs';

const { spawn } = createRequire(import.meta.url)('node-pty');
const COLUMNS =
  'Name,Financial Status,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Notes,Cancelled at';
const CORRECT = [
  '#1001,paid,42.48,4.90,2.37,49.75,TEN,10.00,Post,2,Green tea,19.99,TEA-1,,',
  '#1001,,,,,,,,,1,Old Mill blend,12.50,BLEND-2,,',
  '#1002,paid,19.99,0.00,1.00,20.99,,0.00,,1,Green tea,19.99,TEA-1,,',
  '#1003,refunded,,,,,,,,1,Green tea,19.99,TEA-1,,2026-11-28',
];
const WRONG = CORRECT.join('\n').replace('1,Old', '0,Old').replace('19.99,TEA-1,,\n#1003', '19.99,TEA-9,,\n#1003');
const IDS = {
  ...{ CompanyId: 1000, EntityId: '2000', IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50' },
  TaxId: '9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9',
  ShippingItemId: '11111111-2222-4333-8444-555555555555',
};
const OPENERS = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 36: 'cyan' };
const STYLE = `body { margin: 0; padding: 14px 18px; background: #16181d; color: #d8dbe2; font: 14px/1.4 monospace }
  pre { margin: 0; font: inherit; white-space: pre-wrap } .bold { font-weight: bold } .dim { opacity: .6 }
  .red { color: #ff7b72 } .green { color: #7ee787 } .yellow { color: #e3b341 } .blue { color: #79c0ff } .cyan { color: #76e3ea }`;

/** Replaces the characters that begin a control sequence, which HTML can't have. */
const ESCAPE = '\ue000';
const ends = [];
const scope = { after: (end) => ends.push(end) };
const cwd = folderOf(scope, {
  'orders.csv': `${COLUMNS}\n${WRONG}\n`,
  'ids.json': IDS,
  'articles.csv':
    'sku,guid\nTEA-1,0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff\nBLEND-2,8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b\n',
  'options.json': { discountValueTypes: { amount: 1, percent: 2 } },
  'mapping.json': (await run(['mapping', 'shopify'])).out,
});
const chromium = await startChromium();
scope.after(() => chromium.close());
try {
  const { baseUrl, child } = await served(['--token', TOKEN]);
  scope.after(() => child.kill());
  const [from, mapping] = [
    'orders.csv --map mapping.json --options options.json',
    '$ sales-order-intake mapping shopify > mapping.json\n',
  ];
  await take('errors', mapping + (await shown(`check ${from}`)));
  writeFileSync(join(cwd, 'orders.csv'), `${COLUMNS}\n${CORRECT.join('\n')}\n`);
  const texts = [];
  for (const command of [`check ${from}`, `preview ${from}`, `send ${from} --base-url ${baseUrl}`])
    texts.push(await shown(command));
  await take('sent', texts.join('\n').replaceAll(baseUrl, 'https://intake.example.com'));
} finally {
  for (const end of ends.reverse()) await end();
}

/** Returns what a terminal shows of a command at its end. */
async function shown(command) {
  const env = cleanEnv({ SALES_ORDER_INTAKE_TOKEN: TOKEN });
  const terminal = spawn(process.execPath, [MAIN, ...command.split(' ')], {
    cols: 100,
    cwd,
    name: 'xterm-256color',
    env,
  });
  let text = '';
  terminal.onData((more) => {
    text += more;
  });
  await new Promise((resolve) => terminal.onExit(() => setTimeout(resolve, 500)));
  // Progress is erased.
  const parts = text
    .replaceAll('\r\n', '\n')
    .replaceAll('\u001b[', ESCAPE)
    .split(/\r(?:\ue0001A)?\ue0000J/);
  const kept = parts.map((part, n) => (n < parts.length - 1 ? part.replace(/.*$/, '') : part));
  return `$ sales-order-intake ${command}\n${kept.join('')}`;
}

async function take(name, text) {
  const escaped = text.trimEnd().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = escaped.replace(/\ue000(\d+)m/g, (_, code) =>
    OPENERS[code] ? `<span class="${OPENERS[code]}">` : '</span>',
  );
  const context = await chromium.newContext({ viewport: { width: 920, height: 100 } });
  const page = await context.newPage();
  await page.setContent(`<style>${STYLE}</style><pre>${html}</pre>`);
  await page.setViewportSize({ width: 920, height: await page.evaluate(() => document.body.scrollHeight) });
  writeFileSync(join(root, `docs/guides/pictures/first-export-${name}.webp`), await pictureOf(page, 1));
  await context.close();
}
