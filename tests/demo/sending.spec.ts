import type { Locator } from '@playwright/test';
import { expect, Intake, test } from './page';
import { serveFiles } from './served';

test('an order is sent, comes back with its read-only members marked, and is at the till', async ({
  intake,
  page,
  context,
}) => {
  await intake.load('Supplied taxes and a discount');
  const id = await intake.at('/Id').inputValue();
  await intake.send();
  await expect(intake.created.getByRole('heading')).toHaveText('Created');
  await expect(intake.created).toContainText(`201 after 1 attempt, order ${id}`);
  const marked = intake.created.locator('pre mark');
  await expect(marked).toHaveCount(4);
  const receipt = /"ReceiptNumber": "([^"]+)"/.exec(await intake.created.locator('pre').innerText())?.[1] ?? '';
  expect(receipt).not.toBe('');

  const [till] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'See it at the till' }).click(),
  ]);
  const order = till.getByRole('article').filter({ hasText: id });
  await expect(order).toContainText(receipt);
  await expect(order.locator('tfoot')).toContainText(await total(intake.figure('/total'), intake));
});

test('the same again is answered as it was; another order with its id is a conflict', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await intake.send();
  await expect(intake.created).toContainText('201 after 1 attempt');
  const first = await intake.created.locator('pre').innerText();
  await page.getByRole('button', { name: 'Send the same again' }).click();
  await expect(intake.created).toContainText('200 after 1 attempt');
  await expect(intake.created.getByRole('heading')).toContainText('the same order, answered as it was');
  expect(await intake.created.locator('pre').innerText()).toBe(first);

  await intake.at('/Items/0/Quantity').fill('4');
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toHaveText('ConflictError 409');
  await expect(intake.failure).toContainText('not-created: The order was not created.');
});

test('faults on demand are retried, and every attempt and wait is shown as it happens', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await intake.send({ fault: '503', times: '2' });
  await expect(intake.attempts.first()).toContainText(/Attempt 1 answered 503 after \d+ ms,.*waits [12]\.\d s/);
  await expect(page.locator('progress')).toBeVisible();
  await expect(intake.created).toContainText('201 after 3 attempts');
  await expect(intake.attempts).toHaveText([
    /Attempt 1 answered 503/,
    /Attempt 2 answered 503/,
    /Attempt 3 answered 201/,
  ]);
});

test('an order that was stored but never answered is found by the next attempt', async ({ intake }) => {
  await intake.load('Grams and half cents');
  await intake.send({ fault: 'drop-after' });
  await expect(intake.created).toContainText('200 after 2 attempts', { timeout: 15_000 });
  await expect(intake.attempts.first()).toContainText('had no answer (ConnectionError)');
});

test('a wait can be stopped; what is known of the order is said', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await intake.send({ fault: '503', times: '99' });
  await expect(intake.attempts.first()).toContainText('waits');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(intake.failure.getByRole('heading')).toHaveText('AbortedError');
  await expect(intake.failure).toContainText('unknown: It is not known whether the order was created');
  await intake.send();
  await expect(intake.created).toContainText('201 after 1 attempt');
});

test('offline it says so, and goes on when the network is back', async ({ intake, page, context }) => {
  await intake.load('Grams and half cents');
  await context.setOffline(true);
  await intake.send();
  await expect(page.getByText('This browser has no network')).toBeVisible();
  await expect(intake.attempts.first()).toContainText('had no answer (ConnectionError)');
  await context.setOffline(false);
  await expect(intake.created).toContainText(/201 after [2-4] attempts/, { timeout: 15_000 });
});

test('what the service refuses is said at the fields, until they are changed', async ({ intake }) => {
  await intake.load('Grams and half cents');
  // The page is not told that this location prices with tax: the service knows.
  await intake.at('/EntityId').fill('2303');
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toContainText(/RejectedError 4\d\d/);
  await expect(intake.failure).toContainText('not-created');
  await expect(intake.saidOf('/EntityId')).toContainText('from the service');
  await expect(intake.at('/EntityId')).toHaveAttribute('aria-invalid', 'true');
  await expect(intake.verdict).toContainText('Refused by the service');
  await intake.at('/EntityId').fill('2301');
  await expect(intake.verdict).toContainText('Ready to send');
  await expect(intake.saidOf('/EntityId')).not.toContainText('from the service');
  await intake.send();
  await expect(intake.created).toContainText('201');
});

test('a token that is not known is an AuthenticationError; one that is none is said at its field', async ({
  intake,
}) => {
  await intake.load('Grams and half cents');
  await intake.show('Send');
  await intake.at('/token').fill('wrong');
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toHaveText('AuthenticationError 401');
  await intake.at('/token').fill('no token');
  await intake.send();
  await expect(intake.saidOf('/token')).toContainText('must be a bearer token');
  await intake.at('/token').fill(intake.served.token);
  await intake.at('/baseUrl').fill('http://intake.example.com');
  await intake.send();
  await expect(intake.saidOf('/baseUrl')).toContainText('must be https');
});

test('an order with errors is not sent', async ({ intake, page }) => {
  await intake.load('Wrong in many ways');
  let requests = 0;
  page.on('request', (request) => void (request.method() === 'PUT' && requests++));
  await intake.show('Send');
  await page.getByRole('button', { name: 'Send the order' }).click({ force: true });
  await expect(page.getByRole('tab', { name: 'Issues' })).toHaveAttribute('aria-selected', 'true');
  expect(requests).toBe(0);
});

test('as static files anywhere it does without a directory, and says that a service must allow it', async ({
  page,
  served,
}) => {
  const files = await serveFiles();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.goto(files.url);
  const intake = new Intake(page, served);
  await intake.running();
  await expect(page.getByLabel('Location', { exact: true })).toHaveCount(0);
  await intake.show('Send');
  await expect(intake.at('/baseUrl')).toHaveValue('');
  await intake.at('/baseUrl').fill(served.url);
  await intake.at('/token').fill(served.token);
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toHaveText('ConnectionError', { timeout: 15_000 });
  await expect(intake.failure).toContainText('it must allow pages from here (CORS)');
  await expect(page.getByRole('link', { name: 'See it at the till' })).toHaveCount(0);
  expect(errors).toEqual([]);
  await files.stop();
});

/** As the till writes it. */
async function total(figure: Locator, intake: Intake): Promise<string> {
  await intake.show('Receipt');
  return figure.innerText();
}
