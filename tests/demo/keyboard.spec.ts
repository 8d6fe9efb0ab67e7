import { expect, test, type Intake } from './page';

test('a whole order by keyboard: filled in, reviewed, sent', async ({ intake, page }) => {
  const keys = page.keyboard;
  await intake.load('Order with many issues');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());

  await tabTo(intake, 'CompanyId');
  await type(intake, '1501');
  await tabTo(intake, 'EntityId');
  await type(intake, '2301');
  await tabTo(intake, 'IntegratorId');
  await type(intake, '7c9e6679-7425-40de-944b-e07fc1f90ae7');
  await tabTo(intake, 'v2');
  await keys.press('ArrowRight');
  await expect(page.getByLabel('v3', { exact: true })).toBeChecked();

  // Removes three of the four lines and fixes the last one.
  for (const _ of [1, 2, 3]) {
    await tabTo(intake, 'Remove line 1');
    await keys.press('Enter');
  }
  await expect(page.getByRole('button', { name: 'Remove line 2' })).toHaveCount(0);
  await expect(intake.at('/Items/0/Name')).toHaveValue('Biscuits');
  await tabTo(intake, 'Quantity');
  await type(intake, '2.5');
  await tabTo(intake, 'Add a line');
  await keys.press('Enter');
  await expect(intake.at('/Items/1/Name')).toBeFocused();
  await type(intake, 'Green tea');
  await tabTo(intake, 'Unit price');
  await type(intake, '12.50');
  await tabTo(intake, 'Catalog item');
  await type(intake, 'c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e');
  await tabTo(intake, 'Move line 2 up', 'Shift+Tab');
  await keys.press('Space');
  await expect(intake.at('/Items/0/Name')).toHaveValue('Green tea');
  for (const _ of [1, 2]) {
    await tabTo(intake, 'Remove discount 1');
    await keys.press('Enter');
  }
  await tabTo(intake, 'I supply the taxes');
  await keys.press('ArrowLeft');
  await expect(page.getByLabel('The point of sale calculates taxes')).toBeChecked();
  await tabTo(intake, 'TimeSlotDisplayString');
  await type(intake, 'At noon');
  await tabTo(intake, 'Delivery order');
  await keys.press('Space');
  await expect(intake.verdict).toContainText('Ready to send');

  // The issues lead back to their fields; the tabs are one stop, with arrows.
  await tabTo(intake, 'Receipt');
  await keys.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Issues' })).toBeFocused();
  await tabTo(intake, /^warning SellAtPricePerUnit/);
  await keys.press('Enter');
  await expect(intake.at('/Items/1/SellAtPricePerUnit')).toBeFocused();
  await tabTo(intake, /^Issues/);
  await keys.press('ArrowRight');
  await keys.press('ArrowRight');
  await tabTo(intake, 'Send the order');
  await keys.press('Enter');
  await expect(intake.created).toContainText('201 after 1 attempt');
  await tabTo(intake, 'See it at the point of sale');
});

/**
 * Presses the key until the element with this name has the focus; fails if it never gets it, or if the focus is
 * invisible.
 */
async function tabTo({ page }: Intake, name: string | RegExp, key = 'Tab'): Promise<void> {
  const wanted = typeof name === 'string' ? (label: string) => label === name : (label: string) => name.test(label);
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press(key);
    const { label, ring } = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      const visible = element.matches('input[type=radio]') ? (element.nextElementSibling ?? element) : element;
      const { outlineStyle, outlineWidth } = getComputedStyle(visible);
      return {
        label: (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim(),
        ring: `${outlineStyle} ${outlineWidth}`,
      };
    });
    if (!wanted(label)) continue;
    expect(ring, `the focus on ${name} is visible`).toBe('solid 2px');
    return;
  }
  throw new Error(`${name} is not reachable with ${key}`);
}

async function type({ page }: Intake, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}
