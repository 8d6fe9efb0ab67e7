/**
 * The menu of the built site beside the page, and on a phone: no title is cut, not even that of a type deep in the
 * reference.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openSite } from '../site.mjs';

const site = await openSite();
after(() => site.close());

/** A page of each menu. */
const MENUS = {
  guides: 'guides/react.html',
  reference: 'reference/cli.html',
  contributing: 'contributing/layout.html',
};
const PHONE = 390;

for (const width of [1440, 1280, PHONE]) {
  for (const [menu, path] of Object.entries(MENUS)) {
    test(`at ${width} pixels, no title in the menu of ${menu} is cut`, async () => {
      const page = await site.page(path, { viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      if (width === PHONE) await page.locator('.VPLocalNav .menu').click();
      const sidebar = page.locator('.VPSidebar');
      await sidebar.getByRole('link').first().waitFor();
      const closed = sidebar.locator('.VPSidebarItem.collapsed > .item .caret');
      while ((await closed.count()) > 0) await closed.first().click();
      const { titles, cut } = await sidebar.evaluate((menu) => {
        const titles = [...menu.querySelectorAll('.text')];
        const edge = menu.getBoundingClientRect().left + menu.clientWidth;
        const isCut = (title) => {
          const text = document.createRange();
          text.selectNodeContents(title);
          return title.scrollWidth > title.clientWidth || text.getBoundingClientRect().right > edge;
        };
        return { titles: titles.length, cut: titles.filter(isCut).map(({ textContent }) => textContent) };
      });
      assert.ok(titles > 5, `${titles} titles`);
      assert.deepEqual(cut, []);
      await page.context().close();
    });
  }
}
