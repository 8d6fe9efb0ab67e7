import { expect, test } from './page';

test('an invalid value is reported at its field and in the list until it is fixed', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await expect(intake.verdict).toContainText('Ready to send');
  await intake.at('/Items/1/Quantity').fill('0');
  await expect(intake.verdict).toContainText('1 error');
  await expect(intake.at('/Items/1/Quantity')).toHaveAttribute('aria-invalid', 'true');
  await expect(intake.at('/Items/1/Quantity')).toHaveAccessibleDescription(/error.*Quantity must be greater than 0/i);
  await expect(intake.at('/Items/0/Quantity')).not.toHaveAttribute('aria-invalid');

  await intake.show('Issues');
  await page.getByRole('button', { name: /Quantity must be greater than 0/ }).click();
  await expect(intake.at('/Items/1/Quantity')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0.7');
  await expect(intake.verdict).toContainText('Ready to send');
  await expect(intake.at('/Items/1/Quantity')).not.toHaveAttribute('aria-invalid');
});

test('errors, warnings and notices have their name, and each leads to its field', async ({ intake, page }) => {
  await intake.load('Order with many issues');
  await expect(intake.verdict).toContainText('errors');
  await intake.show('Issues');
  const list = page.getByRole('tabpanel', { name: /Issues/ }).getByRole('listitem');
  const texts = await list.allInnerTexts();
  expect(texts.length).toBeGreaterThan(15);
  for (const text of texts) expect(text).toMatch(/^(error|warning|notice)\b/i);
  const words = texts.map((text) => text.split(/\s/)[0]?.toLowerCase());
  expect(words).toEqual([...words].sort());
  for (const [index, text] of texts.entries()) {
    const pointer = /(\/\S*) · /.exec(text)?.[1] ?? '/';
    await list.nth(index).getByRole('button').click();
    // The field is focused after it is rendered.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(pointer);
  }
});

test('lines are added, moved and removed, and the focus stays with them', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  const names = () =>
    page
      .getByLabel('Name', { exact: true })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  const [first, second, third] = await names();
  await page.getByRole('button', { name: 'Move line 2 up' }).click();
  await expect.poll(names).toEqual([second, first, third]);
  await expect(page.getByRole('button', { name: 'Move line 1 up' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove line 2' }).click();
  await expect.poll(names).toEqual([second, third]);
  await expect(intake.at('/Items/1/Name')).toBeFocused();
  await page.getByRole('button', { name: 'Add a line' }).click();
  await expect(intake.at('/Items/2/Name')).toBeFocused();
  await expect(intake.messagesOf('/Items/2/CatalogItemId')).toContainText('missing');
  await expect(intake.figure('/lines/1/extended')).toHaveText('39.98');

  await page.getByRole('button', { name: 'Add a discount' }).click();
  await expect(intake.at('/Discount/InvoiceLevel/0/Name')).toBeFocused();
  await page.getByRole('button', { name: 'Remove discount 1' }).click();
  await expect(page.getByRole('button', { name: 'Add a discount' })).toBeFocused();
});

test('the focus of a removed row goes to the next one, of the last to the one before, of the only one to "Add"', async ({
  intake,
  page,
}) => {
  const remove = (row: string) => page.getByRole('button', { name: `Remove ${row}`, exact: true }).click();
  await intake.load('Grams and half cents');
  const [, second = ''] = await page
    .getByLabel('Name', { exact: true })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  await remove('line 1');
  await expect(intake.at('/Items/0/Name')).toHaveValue(second);
  await expect(intake.at('/Items/0/Name')).toBeFocused();
  await expect(page.getByText('line 1 removed')).toHaveRole('status');
  await remove('line 2');
  await expect(intake.at('/Items/1')).toHaveCount(0);
  await expect(intake.at('/Items/0/Name')).toBeFocused();
  await remove('line 1');
  await expect(page.getByRole('button', { name: 'Add a line' })).toBeFocused();
});

test('the receipt follows the source of the taxes', async ({ intake, page }) => {
  await intake.load('A member with a coupon');
  await expect(intake.receipt).toContainText('Total tax, estimated');
  await page.getByLabel(/Estimate the taxes/).uncheck();
  await expect(intake.figure('/tax/total')).toHaveText('unknown');
  await expect(intake.figure('/total')).toHaveText('unknown');
  await expect(intake.receipt).toContainText('The total is unknown here');

  await page.getByText('I supply the taxes').click();
  await expect(intake.messagesOf('/Taxes')).toContainText('replaces all taxes with none');
  await page.getByLabel(/The order has no taxes/).check();
  await expect(intake.verdict).toContainText('Ready to send');
  await page.getByRole('button', { name: 'Add a tax' }).click();
  await intake.at('/Taxes/0/TaxId').fill('e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80');
  await intake.at('/Taxes/0/TaxAmount').fill('7.77');
  await expect(intake.figure('/lines/0/tax')).toHaveText('7.77');
  await expect(intake.figure('/lines/1/tax')).toHaveCount(0);
  await expect(intake.figure('/tax/total')).toHaveText('7.77');
});

test('the calculation of each amount is shown with its rounding', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await page.getByLabel(/how each amount is calculated/).check();
  await expect(intake.receipt).toContainText('3.545 × 11.995 → 42.522275 → 42.52 D18');
  await expect(intake.receipt).toContainText('Depending on rounding,');
});

test('the same cart key gives the same id, another key gives another', async ({ intake, page }) => {
  await page.getByText('From a cart key').click();
  await expect(intake.messagesOf('/cartKey')).toContainText('must be a string that is not empty');
  await intake.at('/cartKey').fill('cart-1041');
  await expect(intake.at('/Id')).toHaveValue(/^[0-9a-f-]{36}$/);
  const id = await intake.at('/Id').inputValue();
  await page.getByRole('button', { name: 'Derive again' }).click();
  await expect(intake.messagesOf('/Id')).toContainText('Derived 2 times from this key: the same Id each time');
  await intake.at('/cartKey').fill('cart-1042');
  await expect(intake.at('/Id')).not.toHaveValue(id);
  await intake.at('/cartKey').fill('cart-1041');
  await expect(intake.at('/Id')).toHaveValue(id);
  await intake.at('/namespace').fill('no guid');
  await expect(intake.messagesOf('/namespace')).toContainText('must be a GUID');
  // Published by RFC 9562.
  await intake.at('/namespace').fill('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
  await expect(intake.messagesOf('/namespace')).toContainText('must be a GUID of your own');
  await expect(intake.at('/cartKey')).not.toHaveAttribute('aria-invalid');
});

test('the request is shown as it will be sent, and copied as curl and as code', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await intake.show('Request');
  const shown = page.locator('#request-text');
  await expect(shown).toContainText(`PUT ${intake.served.url}v2/ServiceOrder(`);
  await expect(shown).toContainText('"Quantity":3.545,"SellAtPricePerUnit":11.995');
  await expect(shown).not.toContainText(intake.served.token);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('radio', { name: 'curl' }).check({ force: true });
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await copied()).toMatch(
    /^curl -X PUT 'http.*"Authorization: Bearer \$ACCESS_TOKEN".*--data-binary '\{"Id":.*\}'$/s,
  );
  await page.getByRole('radio', { name: 'Node' }).check({ force: true });
  await page.getByRole('button', { name: 'Copy as code' }).click();
  await expect.poll(copied).toContain("from 'sales-order-intake/client'");
  await intake.at('/CompanyId').fill('');
  await expect(page.getByText('The order has errors, so there is no request')).toBeVisible();
});

test('nothing moves while typing', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  const positions = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.editor input, .editor button, [role=tab]')].map((e) => {
        const { x, y } = e.getBoundingClientRect();
        return [x, y];
      }),
    );
  const before = await positions();
  await intake.at('/Items/1/Quantity').fill('-1');
  await intake.at('/Items/1/SellAtPricePerUnit').fill('a very long text that is not a price');
  await intake.at('/CompanyId').fill('not a company');
  await intake.at('/IntegratorId').fill('x');
  await expect(intake.verdict).toContainText('errors');
  expect(await positions()).toEqual(before);
});

test('a location of the service sets its ids, its tax pricing and its rates', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await page.getByText('The point of sale calculates taxes').click();
  const location = page.getByLabel('Location', { exact: true });
  await location.selectOption({ label: 'Harbour Goods, Airport (prices include tax)' });
  await expect(intake.at('/EntityId')).toHaveValue('2303');
  await expect(intake.messagesOf('/EntityId')).toContainText('tax-inclusive prices');
  await location.selectOption({ label: 'Harbour Goods, Old Mill' });
  await expect(intake.verdict).toContainText('Ready to send');
  await expect(intake.at('/rates/2/name')).toHaveValue('PST 7 % on top');
  await expect(intake.receipt).toContainText('PST 7 % on top');
  await intake.at('/rates/2/rate').fill('seven');
  await expect(intake.messagesOf('/rates/2')).toContainText('No estimate: option /taxRates/2/rate must be a decimal');
  await expect(intake.figure('/total')).toHaveText('unknown');
  await expect(intake.at('/rates/2/rate')).toHaveAccessibleDescription(/must be a decimal/);
  // Rates are not sent.
  await expect(intake.verdict).toContainText('Ready to send');
});
