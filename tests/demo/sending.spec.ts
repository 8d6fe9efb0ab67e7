import type { Locator, Page } from '@playwright/test';
import { expect, Intake, test } from './page';
import { serveFiles } from './served';

test('an order is sent, returned with its read-only members marked, and shown at the point of sale', async ({
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

  const [pos] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'See it at the point of sale' }).click(),
  ]);
  const order = pos.getByRole('article').filter({ hasText: id });
  await expect(order).toContainText(receipt);
  await expect(order.locator('tfoot')).toContainText(await total(intake.figure('/total'), intake));
});

test('the same request again returns the same order; another order with its Id is a conflict', async ({
  intake,
  page,
}) => {
  await intake.load('Grams and half cents');
  await intake.send();
  await expect(intake.created).toContainText('201 after 1 attempt');
  const first = await intake.created.locator('pre').innerText();
  await page.getByRole('button', { name: 'Send the same request again' }).click();
  await expect(intake.created).toContainText('200 after 1 attempt');
  await expect(intake.created.getByRole('heading')).toContainText('the service returned the same order');
  expect(await intake.created.locator('pre').innerText()).toBe(first);

  await intake.at('/Items/0/Quantity').fill('4');
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toHaveText('ConflictError 409');
  await expect(intake.failure).toContainText('not-created: The order was not created.');
});

test('injected faults are retried, and every attempt and wait is shown as it happens', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await stopClock(page);
  await intake.send({ fault: '503', times: '2' });
  await expect(intake.attempts).toHaveText([/Attempt 1: 503 after \d+ ms.*, retry after [12]\.\d s/]);
  await expect(page.locator('progress')).toHaveAttribute('value', '0');
  await page.clock.runFor(500);
  await expect(page.locator('progress')).toHaveAttribute('value', /^[45]\d\d/);
  await passUntilAttempt(2, intake);
  await expect(intake.attempts).toHaveText([/Attempt 1: 503/, /Attempt 2: 503 .*retry after/]);
  await passUntilAttempt(3, intake);
  await expect(intake.created).toContainText('201 after 3 attempts');
  await expect(intake.attempts).toHaveText([/Attempt 1: 503/, /Attempt 2: 503/, /Attempt 3: 201/]);
});

test('the next attempt finds an order that was stored without a response', async ({ intake }) => {
  await intake.load('Grams and half cents');
  await intake.send({ fault: 'drop-after' });
  await expect(intake.created).toContainText('200 after 2 attempts');
  await expect(intake.created.getByRole('heading')).toHaveText('Created');
  await expect(intake.attempts.first()).toContainText(/no response after \d+ ms \(ConnectionError\)/);
});

test('an order that a relay has accepted is not created yet, and not at the point of sale', async ({
  intake,
  page,
}) => {
  await intake.load('Grams and half cents');
  const location = '/v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)';
  await page.route(/ServiceOrder/, (route) => route.fulfill({ status: 202, headers: { location }, json: {} }));
  await intake.send();
  const accepted = page.getByRole('region', { name: 'Accepted order' });
  await expect(accepted.getByRole('heading')).toHaveText('Accepted, not created yet');
  await expect(accepted).toContainText('202 after 1 attempt');
  await expect(accepted).not.toContainText('has no order');
  await expect(page.getByRole('link', { name: 'See it at the point of sale' })).toHaveCount(0);
});

test('a wait can be stopped, and the outcome is shown', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  await stopClock(page);
  await intake.send({ fault: '503', times: '99' });
  await expect(intake.attempts.first()).toContainText('retry after');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(intake.failure.getByRole('heading')).toHaveText('AbortedError');
  await expect(intake.failure).toContainText('unknown: It is unknown whether the order was created');
  await intake.send();
  // The client waits as long as the service has asked it to.
  await page.clock.resume();
  await expect(intake.created).toContainText('201 after 1 attempt');
});

test('offline it shows a warning, and continues when the network is back', async ({ intake, page, context }) => {
  await intake.load('Grams and half cents');
  await context.setOffline(true);
  await stopClock(page);
  await intake.send();
  await expect(page.getByText('This browser has no network')).toBeVisible();
  await expect(intake.attempts).toHaveText([/no response after \d+ ms \(ConnectionError\), retry after/]);
  await context.setOffline(false);
  await passUntilAttempt(2, intake);
  await expect(intake.created).toContainText('201 after 2 attempts');
});

test('issues from the service are shown at their fields until these are changed', async ({ intake }) => {
  await intake.load('Grams and half cents');
  // Only the service knows that the prices of this location include tax.
  await intake.at('/EntityId').fill('2303');
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toContainText(/RejectedError 4\d\d/);
  await expect(intake.failure).toContainText('not-created');
  await expect(intake.messagesOf('/EntityId')).toContainText('from the service');
  await expect(intake.at('/EntityId')).toHaveAttribute('aria-invalid', 'true');
  await expect(intake.verdict).toContainText('Rejected by the service');
  await intake.at('/EntityId').fill('2301');
  await expect(intake.verdict).toContainText('Ready to send');
  await expect(intake.messagesOf('/EntityId')).not.toContainText('from the service');
  await intake.send();
  await expect(intake.created).toContainText('201');
});

test('an unknown token is an AuthenticationError; an invalid token or base URL is reported at its field', async ({
  intake,
}) => {
  await intake.load('Grams and half cents');
  await intake.show('Send');
  await intake.at('/token').fill('wrong');
  await intake.send();
  await expect(intake.failure.getByRole('heading')).toHaveText('AuthenticationError 401');
  await intake.at('/token').fill('no token');
  await intake.send();
  await expect(intake.messagesOf('/token')).toContainText('must be a bearer token');
  await intake.at('/token').fill(intake.served.token);
  await intake.at('/baseUrl').fill('http://intake.example.com');
  await intake.send();
  await expect(intake.messagesOf('/baseUrl')).toContainText('must be https');
});

test('an order with errors is not sent', async ({ intake, page }) => {
  await intake.load('Order with many issues');
  let requests = 0;
  page.on('request', (request) => void (request.method() === 'PUT' && requests++));
  await intake.show('Send');
  await page.getByRole('button', { name: 'Send the order' }).click({ force: true });
  await expect(page.getByRole('tab', { name: 'Issues' })).toHaveAttribute('aria-selected', 'true');
  expect(requests).toBe(0);
});

test('as static files it works without a directory, and explains that a service must allow its origin', async ({
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
  await expect(intake.failure.getByRole('heading')).toHaveText('ConnectionError');
  await expect(intake.failure).toContainText('must allow requests from this one (CORS)');
  await expect(page.getByRole('link', { name: 'See it at the point of sale' })).toHaveCount(0);
  expect(errors).toEqual([]);
  await files.stop();
});

/** Stops the time of the page, so that a wait ends only when the test says so. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Lets the time of the page pass until the attempt with this number begins. */
async function passUntilAttempt(number: number, { attempts, page }: Intake): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(100);
    expect(await attempts.count()).toBe(number);
  }).toPass({ intervals: [0] });
}

/** Returns the total as it is displayed. */
async function total(figure: Locator, intake: Intake): Promise<string> {
  await intake.show('Receipt');
  return figure.innerText();
}
