import { expect, test } from './page';
import { serveFiles } from './served';

test('under its own content security policy nothing is blocked or logged', async ({ page, served }) => {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.goto(served.page);
  await expect(page.getByText('Ready to send').first()).toBeVisible();
  for (const tab of ['Issues', 'Request', 'Send', 'Receipt']) await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('button', { name: /Theme/ }).click();
  expect(messages).toEqual([]);
});

test('if WebAssembly is blocked, the page shows what to do and still accepts input', async ({ page }) => {
  const files = await serveFiles("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  await page.goto(files.url);
  await expect(page.getByRole('alert')).toContainText("add 'wasm-unsafe-eval' to script-src");
  await expect(page.getByRole('alert')).toContainText('Without the core, nothing is checked or calculated');
  await page.locator('[id="/Items/0/Quantity"]').fill('12');
  await expect(page.locator('[id="/Items/0/Quantity"]')).toHaveValue('12');
  await files.stop();
});

test('if the core cannot be fetched, it can be tried again', async ({ page, served }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(served.url);
  await expect(page.getByRole('alert')).toContainText(/the core could not be fetched/i);
  await page.unroute('**/*.wasm');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Ready to send').first()).toBeVisible();
});

test('the core is fetched once', async ({ page, served }) => {
  const cores: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('.wasm') && cores.push(request.url())));
  await page.goto(served.url);
  await expect(page.getByText('Ready to send').first()).toBeVisible();
  expect(cores).toHaveLength(1);
});

test('the layout does not shift while the page loads', async ({ page, served }) => {
  await page.goto(served.page);
  await expect(page.getByText('Ready to send').first()).toBeVisible();
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const shifts = list.getEntries().filter(({ entryType }) => entryType === 'layout-shift');
          resolve(shifts.reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0));
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // There is always a paint, so the observer is called even if nothing shifted.
        observer.observe({ type: 'paint', buffered: true });
      }),
  );
  expect(shift).toBeLessThan(0.1);
});
