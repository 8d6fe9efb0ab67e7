import { expect, test } from './page';

test('the draft survives a reload, without what is personal and without the token', async ({
  intake,
  page,
  context,
}) => {
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
  await expect(page.getByText('only for a demo (D44)')).toBeVisible();

  // A service that was started again prints another one, and its address is opened in the same tab.
  await page.goto(`${intake.served.url}#token=another-one`);
  await expect(intake.at('/token')).toHaveValue('another-one');
  expect(page.url()).toBe(intake.served.url);
});

test('a draft that cannot be read is none', async ({ intake, page }) => {
  for (const broken of ['{', '{"Items":7}', '[]', '"text"']) {
    await page.evaluate((text) => {
      localStorage['sales-order-intake.draft'] = text;
    }, broken);
    await page.reload();
    await expect(intake.verdict).toContainText('Ready to send');
  }
});
