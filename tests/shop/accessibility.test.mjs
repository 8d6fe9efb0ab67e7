/** axe finds no violation in any state of the shop, at both widths, light and dark. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { openShop, stopBrowser, visit } from './harness.mjs';
import { SCHEMES, SIZES, STATES } from './states.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

after(stopBrowser);
const shop = await openShop({ after });

for (const [name, reach] of Object.entries(STATES)) {
  test(`axe finds nothing: ${name}`, async (t) => {
    const page = await visit(t, shop, { bypassCSP: true, reducedMotion: 'reduce' });
    await reach(page, shop);
    await page.evaluate(AXE);
    for (const viewport of SIZES) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const where = `${viewport.width} pixels, ${colorScheme}`;
        const { violations, passes } = await page.evaluate(
          (tags) => /** @type {any} */ (window).axe.run(document, { runOnly: tags, resultTypes: ['violations'] }),
          TAGS,
        );
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`);
        assert.deepEqual(found, [], where);
        // The rules were applied.
        assert.ok(
          passes.some(({ id }) => id === 'color-contrast'),
          where,
        );
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width, where);
      }
    }
  });
}
