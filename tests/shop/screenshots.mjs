/** `make test ONLY=pictures`: takes every state at both widths, light and dark, into target/screenshots/shop. */
import { after, test } from 'node:test';
import { join } from 'node:path';
import { target } from '../../scripts/places.mjs';
import { openShop, stopBrowser, visit } from './harness.mjs';
import { SCHEMES, SIZES, STATES } from './states.mjs';

after(stopBrowser);

test('screenshots', async (t) => {
  const shop = await openShop(t);
  for (const [name, reach] of Object.entries(STATES)) {
    const page = await visit(t, shop);
    await reach(page, shop);
    await page.mouse.move(0, 0);
    for (const viewport of SIZES) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
        const file = `${name.replaceAll(' ', '-')}-${viewport.width}-${colorScheme}.png`;
        await page.screenshot({ path: join(target, 'screenshots/shop', file), fullPage: true });
      }
    }
    await page.context().close();
  }
});
