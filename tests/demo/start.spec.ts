import { expect, test } from './page';
import { serveFiles } from './served';

test('under its own policy nothing is refused, logged or left over', async ({ page, served }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  await page.goto(served.page);
  await expect(page.getByText('Ready to send').first()).toBeVisible();
  for (const tab of ['Issues', 'Request', 'Send', 'Receipt']) await page.getByRole('tab', { name: tab }).click();
  await page.getByRole('button', { name: /Theme/ }).click();
  expect(said).toEqual([]);
});

test('where WebAssembly is refused the page says what to do, and still takes what is typed', async ({ page }) => {
  const files = await serveFiles("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
  await page.goto(files.url);
  await expect(page.getByRole('alert')).toContainText("add 'wasm-unsafe-eval' to script-src");
  await expect(page.getByRole('alert')).toContainText('Nothing is checked or computed without it');
  await page.locator('[id="/Items/0/Quantity"]').fill('12');
  await expect(page.locator('[id="/Items/0/Quantity"]')).toHaveValue('12');
  await files.stop();
});

test('where the core cannot be fetched it can be tried again', async ({ page, served }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto(served.url);
  await expect(page.getByRole('alert')).toContainText(/the core could not be fetched/i);
  await page.unroute('**/*.wasm');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Ready to send').first()).toBeVisible();
});

test('the core is fetched once, and there is one of it', async ({ page, served }) => {
  const cores: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('.wasm') && cores.push(request.url())));
  await page.goto(served.url);
  await expect(page.getByText('Ready to send').first()).toBeVisible();
  expect(cores).toHaveLength(1);
});

test('the form is there before the core is, and the page is fast', async ({ page, served }) => {
  await page.goto(served.page);
  await expect(page.getByText('Ready to send').first()).toBeVisible();
  const { paint, shift } = await page.evaluate(async () => {
    const shifts = await new Promise<PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve([]), 300);
    });
    return {
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
      shift: shifts.reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
    };
  });
  console.log(`first contentful paint ${Math.round(paint)} ms, layout shift while loading ${shift.toFixed(4)}`);
  expect(paint).toBeLessThan(1500);
  expect(shift).toBeLessThan(0.1);
});
