/** axe finds nothing, in any state, at both widths, in light and in dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test, type Intake } from './page';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const STATES: Record<string, (intake: Intake) => Promise<void>> = {
  start: async () => {},
  'wrong in many ways': async (intake) => {
    await intake.load('Wrong in many ways');
    await intake.show('Issues');
    await expect(intake.verdict).toContainText('errors');
  },
  'why this number': async (intake) => {
    await intake.load('Supplied taxes and a discount');
    await intake.page.getByLabel('Why this number?').check();
    await expect(intake.receipt).toContainText('→');
  },
  'tax unknown': async (intake) => {
    await intake.page.getByLabel(/Estimate the taxes/).uncheck();
    await expect(intake.figure('/total')).toHaveText('unknown');
  },
  'id from a cart key': async (intake) => {
    await intake.page.getByText('From a cart key').click();
    await intake.at('/cartKey').fill('cart-1041');
    await intake.page.getByRole('button', { name: 'Derive again' }).click();
    await intake.page.getByText('How the figures are rounded').click();
  },
  request: async (intake) => {
    await intake.load('Grams and half cents');
    await intake.show('Request');
  },
  'waiting for a retry': async (intake) => {
    await intake.send({ fault: '503', times: '99' });
    await expect(intake.attempts.nth(1)).toBeVisible();
  },
  created: async (intake) => {
    await intake.load('Grams and half cents');
    await intake.send();
    await expect(intake.created).toBeVisible();
  },
  refused: async (intake) => {
    await intake.load('Grams and half cents');
    await intake.at('/EntityId').fill('2303');
    await intake.send();
    await expect(intake.failure).toBeVisible();
  },
};

for (const width of [1440, 390]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${width} pixels, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme });
      for (const [name, reach] of Object.entries(STATES)) {
        test(name, async ({ intake, page }) => {
          await reach(intake);
          await page.evaluate(AXE);
          const { violations, passes } = await page.evaluate(async (tags) => {
            const { axe } = window as unknown as { axe: { run(context: Document, options: object): Promise<Result> } };
            const { violations, passes } = await axe.run(document, { runOnly: tags });
            return { violations, passes: passes.map(({ id }) => id) };
          }, TAGS);
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`)).toEqual([]);
          expect(passes).toEqual(expect.arrayContaining(['color-contrast', 'label', 'button-name', 'target-size']));
          // Nothing is wider than the screen.
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        });
      }
    });
  }
}

interface Result {
  violations: { id: string; nodes: { target: string; failureSummary: string }[] }[];
  passes: { id: string }[];
}
