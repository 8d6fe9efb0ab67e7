/** Tests that axe finds no violation in any state, at both widths, light and dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from './page';
import { STATES } from './states';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

for (const [name, reach] of Object.entries(STATES)) {
  test(`axe finds nothing: ${name}`, async ({ intake, page }) => {
    await reach(intake);
    await page.evaluate(AXE);
    for (const width of [1440, 390]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const where = `${width} pixels, ${colorScheme}`;
        const { violations, passes } = await page.evaluate(async (tags) => {
          const { axe } = window as unknown as { axe: { run(context: Document, options: object): Promise<Result> } };
          const { violations, passes } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
          return { violations, passes: passes.map(({ id }) => id) };
        }, TAGS);
        expect(
          violations.map(
            ({ id, nodes }) =>
              `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
          ),
          where,
        ).toEqual([]);
        // These rules were applied.
        const fields = (await page.getByRole('textbox').count()) > 0 ? ['label'] : [];
        expect(passes, where).toEqual(
          expect.arrayContaining(['color-contrast', 'button-name', 'target-size', ...fields]),
        );
        // Nothing is wider than the screen.
        expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(width);
      }
    }
  });
}

interface Result {
  violations: { id: string; nodes: { target: string; failureSummary: string }[] }[];
  passes: { id: string }[];
}
