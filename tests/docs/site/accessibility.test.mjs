/** axe finds no violation on a page of each sort, at both widths, light and dark. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { join } from 'node:path';
import { root } from '../../../scripts/places.mjs';
import { openSite, PAGES } from '../site.mjs';

const AXE = readFileSync(createRequire(join(root, 'docs/package.json')).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const site = await openSite();
after(() => site.close());

for (const [sort, path] of Object.entries(PAGES)) {
  test(`axe finds nothing: ${sort}`, async () => {
    const page = await site.page(path, { reducedMotion: 'reduce' });
    await page.evaluate(AXE);
    for (const width of [1440, 390]) {
      for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor();
        const where = `${width} pixels, ${colorScheme}`;
        const { violations, passes } = await page.evaluate(async (tags) => {
          // @ts-expect-error the script above defines it
          const { axe } = window;
          const result = await axe.run(document, { runOnly: tags, resultTypes: ['violations'], elementRef: false });
          return { violations: result.violations, passes: result.passes.map(({ id }) => id) };
        }, TAGS);
        assert.deepEqual(violations.map(described), [], where);
        // These rules were applied.
        for (const rule of ['color-contrast', 'link-name', 'heading-order'])
          assert.ok(passes.includes(rule), `${rule}, ${where}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than the screen, ${where}`);
      }
    }
    await page.context().close();
  });
}

function described({ id, nodes }) {
  return `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`;
}

test('no page requests anything from elsewhere', () => assert.deepEqual(site.external, []));

test('no request fails, and no page reports an error', () => assert.deepEqual(site.failures, []));
