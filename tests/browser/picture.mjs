/**
 * Returns what a page shows now as a small WebP, for a page of the documentation. page.screenshot does not support the format.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} scale
 */
export async function pictureOf(page, scale) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 80,
    clip: { x: 0, y: await page.evaluate(() => scrollY), width, height, scale },
  });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > 60_000) throw new Error(`the picture has ${bytes.length} bytes: too large for a page`);
  return bytes;
}
