/** Checks the accessibility of a page with axe. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Asserts that axe finds no violation, and that the page does not scroll sideways.
 *
 * @param {import('playwright-core').Page} page without a policy that forbids axe
 * @param {string} where what the failure names
 */
export async function assertAccessible(page, where) {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(AXE);
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
  const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(content <= view, `${where}: ${content} pixels wide`);
}
