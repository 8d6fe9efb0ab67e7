/** Tests what a change costs in an order of 300 lines: calls of the core and renders, which no slow machine makes more. */
import type { Page } from '@playwright/test';
import { takeCalls, watchCore } from './core-calls';
import { expect, Intake, test } from './page';

const QUANTITY = '/Items/3/Quantity';
const DISCOUNT = '/Discount/InvoiceLevel/1/Value';

/** Changes of lines, each with what the receipt then shows. */
const CHANGES = [
  [QUANTITY, '1000', '1000 ×'],
  ['/Items/150/SellAtPricePerUnit', '777.25', '× 777.25'],
  ['/Items/299/Name', 'The last lot', 'The last lot'],
  [QUANTITY, '2000', '2000 ×'],
] as const;
/** The page renders at most this many lines of the receipt in one task. */
const LINES_PER_TASK = 50;

for (const taxes of ['estimated', 'unknown'] as const) {
  test(`a change in 300 lines evaluates the order once and renders its own line only, taxes ${taxes}`, async ({
    page,
    served,
  }) => {
    const intake = await opened(page, served, taxes);
    for (const [at, value, shown] of CHANGES) {
      await takeCalls(page);
      await takeRenders(page);
      await intake.at(at).fill(value);
      await expect(intake.receipt).toContainText(shown);
      // The last call is for the lines that are shown.
      expect(await takeCalls(page)).toEqual(['evaluateOrder', 'previewOrder']);
      const { rows, changes } = await takeRenders(page);
      expect(rows).toEqual([at.slice(0, at.lastIndexOf('/'))]);
      // The shares of the discount of some other lines change by a cent.
      expect(changes).toBeLessThan(300);
    }
  });

  test(`a change of all 300 lines is rendered in tasks of ${LINES_PER_TASK} lines, taxes ${taxes}`, async ({
    page,
    served,
  }) => {
    const intake = await opened(page, served, taxes);
    const last = intake.figure('/lines/299/discount');
    const before = (await last.textContent()) ?? '';
    await takeCalls(page);
    await takeRenders(page);
    await intake.at(DISCOUNT).fill('50');
    await expect(last).not.toHaveText(before);
    expect(await takeCalls(page)).toEqual(['evaluateOrder', 'previewOrder']);
    const { rows, linesInTask } = await takeRenders(page);
    expect(rows).toEqual([]);
    expect(Math.max(...linesInTask)).toBeLessThanOrEqual(LINES_PER_TASK);
    expect(linesInTask.reduce((sum, lines) => sum + lines, 0)).toBe(300);
  });
}

test('keys in quick succession are each evaluated at most once, and the last one is', async ({ page, served }) => {
  const intake = await opened(page, served, 'unknown');
  await takeCalls(page);
  await intake.at(QUANTITY).fill('');
  const keys = ['4', '.', ...'123456789', ...new Array(8).fill('Backspace')];
  for (const key of keys) await page.keyboard.press(key);
  await expect(intake.receipt).toContainText('4.1 ×');
  const evaluated = (await takeCalls(page)).filter((call) => call === 'evaluateOrder');
  expect(evaluated.length).toBeGreaterThan(0);
  expect(evaluated.length).toBeLessThanOrEqual(1 + keys.length);
});

/** Opens the page with an order of 300 lines, all of them shown. */
async function opened(page: Page, served: Intake['served'], taxes: 'estimated' | 'unknown'): Promise<Intake> {
  await watchCore(page);
  await watchRenders(page);
  const intake = new Intake(page, served);
  await intake.open();
  await intake.load('300 lines');
  if (taxes === 'unknown') await page.getByLabel(/Estimate the taxes/).uncheck();
  // The last line is rendered last.
  for (const figure of ['/tax/total', '/lines/299/total'])
    await expect(intake.figure(figure)).toHaveText(taxes === 'unknown' ? taxes : /\d/);
  return intake;
}

interface Renders {
  /** The line items whose fields were rendered, as JSON Pointers. */
  rows: string[];
  /** How many nodes and attributes were changed. */
  changes: number;
  /** How many lines of the receipt each task changed. */
  linesInTask: number[];
}

/** Starts watching. Call it before the page is opened. */
async function watchRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const renders: Renders = { rows: [], changes: 0, linesInTask: [] };
    Object.assign(window, { renders });
    // To render a field, Preact compares its value with the one in the document.
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') as PropertyDescriptor;
    Object.defineProperty(HTMLInputElement.prototype, 'value', {
      ...value,
      get(this: HTMLInputElement) {
        const [row] = /^\/Items\/\d+/.exec(this.id) ?? [];
        if (row && !renders.rows.includes(row)) renders.rows.push(row);
        return value.get?.call(this);
      },
    });
    // Called once after each task that changes something.
    new MutationObserver((changes) => {
      renders.changes += changes.length;
      const elements = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
      const lines = new Set(elements.map((element) => element?.closest('.receipt li')).filter(Boolean));
      if (lines.size > 0) renders.linesInTask.push(lines.size);
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

/** Returns what was rendered since the last time. */
const takeRenders = (page: Page): Promise<Renders> =>
  page.evaluate(() => {
    const { renders } = window as unknown as { renders: Renders };
    const taken = { ...renders };
    Object.assign(renders, { rows: [], changes: 0, linesInTask: [] });
    return taken;
  });
