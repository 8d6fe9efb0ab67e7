import type { Page } from '@playwright/test';
import { expect, test, type Intake } from './page';

test('the draft survives a reload, without personal data and without the token', async ({ intake, page, context }) => {
  await intake.load('Supplied taxes and a discount');
  await intake.at('/Items/0/Quantity').fill('99.125');
  await intake.at('/FirstName').fill('Ada-Secret');
  await intake.at('/LastName').fill('Byron-Secret');
  await intake.at('/CustomerId').fill('5e0d1c2b-3a49-4857-a665-748392a1b0cf');
  await intake.at('/Notes').fill('Note-Secret');
  const id = await intake.at('/Id').inputValue();
  await expect.poll(() => page.evaluate(() => localStorage['sales-order-intake.draft'])).toContain('99.125');
  const state =
    JSON.stringify(await context.storageState()) +
    (await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie]),
    ));
  for (const secret of ['Secret', '5e0d1c2b', intake.served.token]) expect(state).not.toContain(secret);

  await page.goto(intake.served.url);
  await page.reload();
  await intake.running();
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('99.125');
  await expect(intake.at('/Id')).toHaveValue(id);
  await expect(intake.at('/Taxes/1/TaxAmount')).toHaveValue('4.54');
  for (const name of ['FirstName', 'LastName', 'CustomerId', 'Notes'])
    await expect(intake.at(`/${name}`)).toHaveValue('');
  await intake.show('Send');
  await expect(intake.at('/token')).toHaveValue('');
});

test('the token is taken from the address, which no longer shows it', async ({ intake, page }) => {
  expect(page.url()).toBe(intake.served.url);
  await intake.show('Send');
  await expect(intake.at('/token')).toHaveValue(intake.served.token);
  await expect(page.getByText('use one of a demo service only')).toBeVisible();

  // A restarted service prints another token, and its address is opened in the same tab.
  await page.goto(`${intake.served.url}#token=another-one`);
  await expect(intake.at('/token')).toHaveValue('another-one');
  expect(page.url()).toBe(intake.served.url);
});

test('a stored draft that cannot be read is ignored', async ({ intake, page }) => {
  for (const broken of ['{', '{"Items":7}', '[]', '"text"']) {
    await page.evaluate((text) => {
      localStorage['sales-order-intake.draft'] = text;
    }, broken);
    await page.reload();
    await expect(intake.verdict).toContainText('Ready to send');
  }
});

test('a stored option that the page does not know is reset and reported', async ({ intake, page }) => {
  await store(intake, (draft) => {
    Object.assign(draft, { rounding: 'half-odd', scale: '7', version: 'v4', Notes: { text: 1 }, colour: 'red' });
    draft.rates[0].layer = '2';
    draft.Items.push(null, 'line', { Name: 'Biscuits', Quantity: 3 });
  });
  await page.goto(intake.served.url);
  await intake.running();
  await expect(page.getByText('are reset: version, scale, rounding, layer.')).toBeVisible();
  await page.getByText('Rounding', { exact: true }).click();
  await expect(intake.at('/rounding')).toHaveValue('half-up');
  await expect(intake.at('/scale')).toHaveValue('2');
  await expect(page.getByLabel('v3', { exact: true })).toBeChecked();
  await expect(intake.at('/rates/0/layer')).toHaveValue('0');
  await expect(intake.at('/Notes')).toHaveValue('');
  await expect(intake.at('/Items/4/Name')).toHaveCount(0);
  await expect(intake.at('/Items/3/Name')).toHaveValue('Biscuits');

  await intake.load('Grams and half cents');
  await expect(page.getByText('are reset:')).toHaveCount(0);
});

test('an order without an Id gets one, once, and it is stored with the draft', async ({ intake, page }) => {
  await store(intake, (draft) => {
    draft.Id = '';
  });
  await page.goto(intake.served.url);
  await intake.running();
  const id = await intake.at('/Id').inputValue();
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  for (const quantity of ['2', '3', '4']) await intake.at('/Items/0/Quantity').fill(quantity);
  await intake.show('Request');
  await expect(page.locator('#request-text')).toContainText(`ServiceOrder(${id})`);
  await expect(page.locator('#request-text')).toContainText('"Quantity":4');
  await expect.poll(() => storedDraft(page)).toMatchObject({ Id: id, Items: [{ Quantity: '4' }, {}, {}] });
  await page.reload();
  await intake.running();
  await expect(intake.at('/Id')).toHaveValue(id);

  await intake.at('/Id').fill('');
  await expect(intake.messagesOf('/Id')).toContainText('Id is missing');
});

const storedDraft = (page: Page): Promise<unknown> =>
  page.evaluate(() => JSON.parse(localStorage['sales-order-intake.draft'] ?? 'null'));

/** Changes the draft that the page has stored. */
// biome-ignore lint/suspicious/noExplicitAny: a change may break the type of the draft
async function store(intake: Intake, change: (draft: any) => void): Promise<void> {
  const { page, served } = intake;
  await expect.poll(() => storedDraft(page)).not.toBeNull();
  const draft = await storedDraft(page);
  change(draft);
  // From another page of the same origin: the demo page could overwrite it with its own draft.
  await page.goto(`${served.url}demo.json`);
  await page.evaluate((json) => {
    localStorage['sales-order-intake.draft'] = json;
  }, JSON.stringify(draft));
}
