import { expect, test } from './page';
import { STATES } from './states';

test('no text of a select is cut off', async ({ intake, page }) => {
  await intake.load('A member with a coupon');
  await page.getByText('Rounding', { exact: true }).click();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ['Receipt', 'Send'] as const) {
      await intake.show(tab);
      const cutOff = await page.evaluate(
        (isNarrow) =>
          [...document.querySelectorAll('select')]
            // Names of locations may be long; a phone shows the list of options in full.
            .filter((select) => select.checkVisibility() && !(isNarrow && select.id === '/location'))
            .filter((select) => {
              const copy = select.cloneNode(true) as HTMLSelectElement;
              copy.id = '';
              copy.style.width = 'max-content';
              select.before(copy);
              const needed = copy.offsetWidth;
              copy.remove();
              return needed > select.offsetWidth;
            })
            .map(({ id, offsetWidth }) => `${id} ${offsetWidth}`),
        width === 390,
      );
      expect(cutOff, `${tab} at ${width} pixels`).toEqual([]);
    }
  }
});

test('the messages of fields are not cut off', async ({ intake, page }) => {
  await STATES['many issues']?.(intake);
  await expect(intake.messagesOf('/CustomerId')).toContainText('CustomerId');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const cutOff = await page.evaluate(() =>
      [...document.querySelectorAll('.fields .messages')]
        .flatMap((messages) => [messages, ...messages.children])
        .filter(
          (element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1,
        )
        .map(({ textContent }) => textContent),
    );
    expect(cutOff, `${width} pixels`).toEqual([]);
  }
});

test('the hint of a field is visible while the field has the focus, and describes it', async ({ intake, page }) => {
  await intake.load('Grams and half cents');
  for (const [field, value, hint] of [
    ['/IntegratorId', 'shop', 'use 32 hexadecimal digits'],
    ['/Items/1/Quantity', '1,5', 'use digits and a decimal point'],
  ] as const) {
    await intake.at(field).fill(value);
    await expect(intake.messagesOf(field).getByText(hint)).toBeInViewport();
    await expect(intake.at(field)).toHaveAccessibleDescription(new RegExp(`must be .*${hint}`));
  }
  // Tooltips would be for the pointer only.
  await expect(page.locator('[title]')).toHaveCount(0);
});
