/** `make test ONLY=pictures`: takes a page of each sort at both widths, light and dark, into target/screenshots/docs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { target } from '../../scripts/places.mjs';
import { openSite, PAGES } from './site.mjs';

const folder = join(target, 'screenshots/docs');
mkdirSync(folder, { recursive: true });
const site = await openSite();
for (const width of [1440, 390]) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    for (const [sort, path] of Object.entries({ ...PAGES, playground: 'playground/index.html' })) {
      const page = await site.page(path, { viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' });
      const name = `${sort.replaceAll(' ', '-')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(folder, name) });
      await page.context().close();
    }
  }
}
await site.close();
console.log(`pictures in ${folder}`);
