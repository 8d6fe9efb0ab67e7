/** axe finds no violation in any state of the shop, at both widths, light and dark. */
import { after, test } from 'node:test';
import { assertAccessible } from '../browser/axe.mjs';
import { openShop, stopBrowser, visit } from './harness.mjs';
import { SCHEMES, SIZES, STATES } from './states.mjs';

after(stopBrowser);
const shop = await openShop({ after });

for (const [name, reach] of Object.entries(STATES)) {
  test(`axe finds nothing: ${name}`, async (t) => {
    const page = await visit(t, shop, { bypassCSP: true, reducedMotion: 'reduce' });
    await reach(page, shop);
    for (const viewport of SIZES) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await assertAccessible(page, `${viewport.width} pixels, ${colorScheme}`);
      }
    }
  });
}
