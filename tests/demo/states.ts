/** Every state of the page that is checked and photographed. */
import { readFileSync } from 'node:fs';
import { typeAndTrap, watchCore } from './core-calls';
import { expect, type Intake } from './page';

export const STATES: Record<string, (intake: Intake) => Promise<void>> = {
  start: async () => {},
  'many issues': async (intake) => {
    await intake.load('Order with many issues');
    await intake.show('Issues');
    await expect(intake.verdict).toContainText('errors');
  },
  calculation: async (intake) => {
    await intake.load('Supplied taxes and a discount');
    await intake.page.getByLabel(/how each amount is calculated/).check();
    await expect(intake.receipt).toContainText('→');
  },
  'tax unknown': async (intake) => {
    await intake.page.getByLabel(/Estimate the taxes/).uncheck();
    await expect(intake.figure('/total')).toHaveText('unknown');
  },
  'id from a cart key': async (intake) => {
    await intake.page.getByText('From a cart key').click();
    await intake.at('/cartKey').fill('cart-1041');
    await intake.page.getByRole('button', { name: 'Derive again' }).click();
    await intake.page.getByText('Rounding', { exact: true }).click();
  },
  request: async (intake) => {
    await intake.load('Grams and half cents');
    await intake.show('Request');
    await expect(intake.page.locator('#request-text')).toBeVisible();
  },
  'opened file': async (intake) => {
    const issues = readFileSync(new URL('../../www/demo/src/examples/wrong.json', import.meta.url), 'utf8');
    await intake.openFiles({ 'orders.json': `[${JSON.stringify(JSON.parse(issues).order)}, {}, 7]` });
    await expect(intake.file).toContainText('3 orders');
  },
  'mapping of a file': async (intake) => {
    await intake.openFiles({ 'orders.csv': 'Order;Article\n' });
    await intake.page.getByLabel('Mapping of').selectOption('shopify');
    await intake.page.getByRole('button', { name: 'Read the file with this mapping' }).click();
    await expect(intake.page.getByRole('alert')).toBeVisible();
  },
  'waiting for a retry': async (intake) => {
    // Long enough that the page stays in this state.
    await intake.page.route('**/ServiceOrder*', (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '100' } }),
    );
    await intake.send({ fault: '503', times: '99' });
    await expect(intake.page.locator('progress')).toBeVisible();
  },
  created: async (intake) => {
    await intake.load('Grams and half cents');
    await intake.send();
    await expect(intake.created).toBeVisible();
  },
  refused: async (intake) => {
    await intake.load('Grams and half cents');
    await intake.at('/EntityId').fill('2303');
    await intake.send();
    await expect(intake.failure).toBeVisible();
  },
  'error of the page': async (intake) => {
    await watchCore(intake.page);
    await intake.page.reload();
    await intake.running();
    await typeAndTrap(intake.page, '/Items/0/Quantity', '41');
    await expect(intake.page.getByRole('alert')).toBeVisible();
  },
};
