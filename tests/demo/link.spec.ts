/** Links to the page with an order in the fragment: `#order=…&options=…`. */
import type { Page } from '@playwright/test';
import { expect, test, type Intake } from './page';

const order = {
  CompanyId: 293892,
  EntityId: 293894,
  IntegratorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  FirstName: 'Zoë',
  Items: [
    {
      Name: 'Grüner Tee 🍵',
      CatalogItemId: 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e',
      Quantity: 2.345,
      SellAtPricePerUnit: '12.50',
    },
  ],
};

test('a link opens its order and options in the editor, and its fragment is removed', async ({ intake, page }) => {
  await open(intake, order, { version: 'v2', scale: 1, rounding: 'half-even' });
  await expect(intake.at('/FirstName')).toHaveValue('Zoë');
  await expect(intake.at('/Items/0/Name')).toHaveValue('Grüner Tee 🍵');
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('2.345');
  await expect(page.getByLabel('v2', { exact: true })).toBeChecked();
  await expect(intake.at('/scale')).toHaveValue('1');
  await expect(intake.at('/Id')).toHaveValue(/^[0-9a-f]{8}-/);
  await expect(intake.figure('/subtotal')).toHaveText('29.3');
  expect(page.url()).toBe(intake.served.url);
});

test('an address without a token leaves the token as it is', async ({ intake, page }) => {
  await intake.show('Send');
  await expect(intake.at('/token')).toHaveValue(intake.served.token);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragmentOf(order));
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('2.345');
  await expect(intake.at('/token')).toHaveValue(intake.served.token);
});

test('an order that is only looked at does not replace the stored draft', async ({ intake, page }) => {
  await intake.at('/Items/0/Quantity').fill('77');
  await expect.poll(() => storedQuantity(page)).toBe('77');
  await page.clock.install();
  await open(intake, order);
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('2.345');
  // Longer than the page waits before it stores a change.
  await page.clock.runFor(10_000);
  expect(await storedQuantity(page)).toBe('77');

  await intake.at('/Items/0/Quantity').fill('3');
  await expect.poll(() => storedQuantity(page)).toBe('3');
  await intake.load('Draft set aside');
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('77');
});

test('a value of a link that is not a choice is reset and reported', async ({ intake, page }) => {
  await open(intake, { ...order, taxesFrom: 'nowhere' }, { rounding: 'half-odd' });
  await expect(page.getByText('The order of the link had values')).toContainText('are reset: taxesFrom, rounding.');
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('2.345');
});

test('a link without a readable order leaves the draft as it is and says so', async ({ intake, page }) => {
  await intake.at('/Items/0/Quantity').fill('77');
  for (const fragment of ['order=%%%', 'order=bm90IEpTT04', fragmentOf([1]), `${fragmentOf(order)}&options=WzFd`]) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, fragment);
    await expect(page.getByText('The order of the link cannot be read.')).toBeVisible();
    await expect(intake.at('/Items/0/Quantity')).toHaveValue('77');
    expect(page.url()).toBe(intake.served.url);
    await intake.load('Grams and half cents');
    await expect(page.getByText('The order of the link cannot be read.')).toHaveCount(0);
    await intake.at('/Items/0/Quantity').fill('77');
  }
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const fragmentOf = (value: unknown) => `order=${encoded(value)}`;

/** Opens the link as a visit of its own: another page of the origin is between. */
async function open({ page, served }: Intake, value: unknown, options?: object): Promise<void> {
  await page.goto(`${served.url}demo.json`);
  await page.goto(`${served.url}#${fragmentOf(value)}${options ? `&options=${encoded(options)}` : ''}`);
  await page
    .locator('.summary .verdict')
    .filter({ hasText: /Ready to send|Cannot be sent/ })
    .waitFor();
}

const storedQuantity = (page: Page): Promise<unknown> =>
  page.evaluate(() => JSON.parse(localStorage['sales-order-intake.draft'] ?? 'null')?.Items[0].Quantity);
