/** Files that are opened in the page, and the order that it saves. */
import { readFileSync } from 'node:fs';
import { expect, fileOf, test } from './page';

const IDS = { CompanyId: '293892', EntityId: '293894', IntegratorId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
const ITEM = 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e';
const item = (Quantity: string, Name = 'Tea') =>
  `{"Name":"${Name}","CatalogItemId":"${ITEM}","Quantity":${Quantity},"SellAtPricePerUnit":12.50}`;
const order = (id: string, ...items: string[]) =>
  `{"Id":"6f1d2c3b-8a94-4e57-b0c6-${id}","CompanyId":293892,"EntityId":293894,"IntegratorId":"${IDS.IntegratorId}","Items":[${items}]}`;

test('a file with an array of orders shows the first order and the issues of all, with their positions', async ({
  intake,
  page,
}) => {
  const json = `[${order('1d2e3f405162', item('1.50')).replace('{', '{"Colour":"red",')},\n ${order('1d2e3f405163', item('0'), item('2', 'Cake'))},\n 7]`;
  const dropped = await page.evaluateHandle((json) => {
    const data = new DataTransfer();
    data.items.add(new File([json], 'orders.json'));
    return data;
  }, json);
  await page.locator('h1').dispatchEvent('dragover', { dataTransfer: dropped });
  await expect(page.getByText('Drop files with orders here')).toBeVisible();
  await page.locator('h1').dispatchEvent('drop', { dataTransfer: dropped });
  await expect(intake.file.getByRole('status').first()).toHaveText(/3 orders, 2 with errors/);
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('1.50');
  await expect(page.getByText('no fields for some members of this order: Colour.')).toBeVisible();
  const entries = intake.file.getByRole('list').first().locator('> li');
  await expect(entries.nth(1)).toContainText(/Order 2.*line 2 · 1 error.*Quantity must be greater than 0.*2:\d+ · /s);
  await expect(entries.nth(2)).toContainText('3:2 · ');

  await entries.nth(1).getByRole('button').press('Enter');
  await expect(intake.at('/Items/1/Name')).toHaveValue('Cake');
  await expect(intake.messagesOf('/Items/0/Quantity')).toContainText('greater than 0');
  await entries.nth(2).getByRole('button').click();
  await expect(page.getByText('This is not the JSON of an order')).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('1.50');
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(intake.at('/Items/1/Name')).toHaveValue('Cake');
});

test('a CSV file is read with its mapping and its look-up files, as on the command line', async ({ intake, page }) => {
  const mapping = {
    key: 'Order',
    namespace: '51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b',
    decimal: ',',
    encoding: 'windows-1252',
    order: Object.fromEntries(Object.keys(IDS).map((name) => [name, { value: name, lookup: 'ids.json' }])),
    items: {
      ...{ Name: 'Article', Quantity: 'Pieces', SellAtPricePerUnit: 'Price' },
      CatalogItemId: { column: 'SKU', lookup: 'lists/articles.csv', from: 'sku', to: 'guid' },
    },
  };
  const rows = ['Order;Article;SKU;Pieces;Price', 'A-1;Grüner Tee;T-1;1,50;12,50', 'A-1;Cake;T-1;2;4,00'];
  const csv = Buffer.from([...rows, 'A-2;Jam;T-9;1.250;3,10'].join('\r\n'), 'latin1');
  await intake.openFiles({ 'orders.csv': csv });
  await page.getByLabel('Mapping, as JSON').fill(JSON.stringify({ ...mapping, separator: ';' }));
  await page.getByRole('button', { name: 'Read the file with this mapping' }).click();
  await expect(page.getByRole('alert')).toContainText('separator is not a member of the mapping');
  await page.getByLabel('Mapping, as JSON').fill(JSON.stringify({ ...mapping, delimiter: ';' }));
  await page.getByRole('button', { name: 'Read the file with this mapping' }).click();
  await expect(page.getByRole('alert')).toContainText(/there is no file ids\.json.*Open it together/);

  await page
    .getByLabel('Mapping and look-up files')
    .setInputFiles([fileOf('ids.json', JSON.stringify(IDS)), fileOf('articles.csv', `sku,guid\nT-1,${ITEM}\n`)]);
  await expect(intake.file.getByRole('status').first()).toHaveText(/2 orders, 1 with errors/);
  await expect(intake.at('/Items/0/Name')).toHaveValue('Grüner Tee');
  await expect(intake.figure('/subtotal')).toHaveText('26.75');
  await expect(intake.file).toContainText(/A-2.*"T-9" is not in articles\.csv, column sku.*4:9 · csv_lookup_missing/s);
  await expect(intake.file).toContainText('4:13 · not_a_decimal');
});

test.describe(() => {
  test.use({ locale: 'de-AT' });

  test('a new order keeps the location, and decimals are typed as the language of the browser writes them', async ({
    intake,
    page,
  }) => {
    await intake.load('Grams and half cents');
    const [company, id] = [await intake.at('/CompanyId').inputValue(), await intake.at('/Id').inputValue()];
    await page.getByRole('button', { name: 'New order' }).press('Enter');
    await expect(intake.at('/CompanyId')).toHaveValue(company);
    await expect(intake.at('/Id')).not.toHaveValue(id);
    await intake.at('/Items/0/Name').fill('Tea');
    await intake.at('/Items/0/CatalogItemId').fill(ITEM);
    await intake.at('/Items/0/Quantity').fill('1,50');
    await intake.at('/Items/0/SellAtPricePerUnit').fill('12.50');
    await expect(intake.messagesOf('/Items/0/SellAtPricePerUnit')).toContainText('use digits and a decimal comma');
    await intake.at('/Items/0/SellAtPricePerUnit').fill('12,50');
    await expect(intake.figure('/lines/0/extended')).toHaveText('18,75');

    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as JSON' }).click();
    const saved = readFileSync(await (await downloaded).path(), 'utf8');
    expect(saved).toContain('"Quantity": 1.50');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(intake.at('/Items/0/SellAtPricePerUnit')).toHaveValue('');
    await intake.openFiles({ 'saved.json': saved });
    await expect(intake.at('/Items/0/SellAtPricePerUnit')).toHaveValue('12,50');
    await expect(intake.at('/Items/0/Quantity')).toHaveValue('1,50');

    await page.getByText('1.5', { exact: true }).click();
    await expect(intake.at('/Items/0/Quantity')).toHaveValue('1.50');
  });
});
