/**
 * `make test ONLY=pictures`: takes every state at both widths, light and dark, into target/screenshots, and the two pictures of
 * the README.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { pictureOf } from '../browser/picture.mjs';
import { expect, test } from './page';
import { STATES } from './states';

const FOLDER = fileURLToPath(new URL('../../target/screenshots/', import.meta.url));
const README = fileURLToPath(new URL('../../www/demo/pictures/', import.meta.url));

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${width} ${colorScheme}`, () => {
      test.use({ viewport: { width, height }, colorScheme });
      for (const [name, reach] of Object.entries(STATES)) {
        test(name, async ({ intake, page }) => {
          await reach(intake);
          const shoot = async (part: string) => {
            await settled(page);
            await page.screenshot({ path: `${FOLDER}${name.replaceAll(' ', '-')}-${width}-${colorScheme}${part}.png` });
          };
          await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
          await shoot('');
          // On a narrow screen the panels are below the editor.
          if (width < 500) {
            await scrollToPanels(page);
            await shoot('-panel');
          }
        });
      }
    });
  }
}

test.describe('for the README', () => {
  test('wide', async ({ intake, page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await intake.load('Grams and half cents');
    await page.getByLabel(/how each amount is calculated/).check();
    await expect(intake.receipt).toContainText('→');
    await picture(page, 'wide', 0.7);
  });
  test.describe('narrow', () => {
    test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    test('narrow', async ({ intake, page }) => {
      await intake.load('Supplied taxes and a discount');
      await scrollToPanels(page);
      await picture(page, 'narrow', 0.8);
    });
  });
});

const scrollToPanels = (page: Page) =>
  page
    .locator('[role=tablist], .failed')
    .evaluate((tabs) => tabs.scrollIntoView({ block: 'start', behavior: 'instant' }));

async function settled(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
}

async function picture(page: Page, name: string, scale: number): Promise<void> {
  await settled(page);
  mkdirSync(README, { recursive: true });
  writeFileSync(`${README}${name}.webp`, await pictureOf(page, scale));
}
