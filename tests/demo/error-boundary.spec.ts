/** Tests the page after the core traps while it renders: it shows an error and loses nothing. */
import type { Page } from '@playwright/test';
import { typeAndTrap, watchCore } from './core-calls';
import { expect, Intake, test } from './page';

test('after an error, trying again shows the same draft and the same token', async ({ page, served }) => {
  const intake = await opened(page, served);
  await intake.at('/FirstName').fill('Ada');
  await crash(intake);
  await page.getByRole('button', { name: 'Try again' }).click();
  await intake.running();
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('41');
  await expect(intake.at('/FirstName')).toHaveValue('Ada');
  await intake.send();
  await expect(intake.created).toContainText('201 after 1 attempt');
});

test('after an error, starting over sets the draft aside, and it can be loaded again', async ({ page, served }) => {
  const intake = await opened(page, served);
  await intake.load('Grams and half cents');
  const id = await intake.at('/Id').inputValue();
  await crash(intake);
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(intake.verdict).toContainText('Ready to send');
  await expect(intake.at('/Id')).not.toHaveValue(id);

  await page.reload();
  await intake.running();
  await intake.load('Draft set aside');
  await expect(intake.at('/Items/0/Quantity')).toHaveValue('41');
  await expect(intake.at('/Id')).toHaveValue(id);
});

test('event listeners end with the components that added them', async ({ page, served }) => {
  await page.addInitScript(() => {
    const counts: Counts = { added: {}, removed: {} };
    Object.assign(window, { counts });
    const count = (list: Record<string, number>, type: string) => {
      list[type] = (list[type] ?? 0) + 1;
    };
    const { addEventListener, removeEventListener } = window;
    window.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      count(counts.added, args[0]);
      addEventListener.apply(window, args);
    };
    window.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      count(counts.removed, args[0]);
      removeEventListener.apply(window, args);
    };
  });
  const intake = await opened(page, served);
  const counts = () => page.evaluate(() => (window as unknown as { counts: Counts }).counts);
  await expect.poll(counts).toMatchObject({ added: { hashchange: 1, online: 1, offline: 1 }, removed: {} });
  await crash(intake);
  await page.getByRole('button', { name: 'Try again' }).click();
  const added = { hashchange: 1, online: 2, offline: 2 };
  await expect.poll(counts).toMatchObject({ added, removed: { online: 1, offline: 1 } });
});

interface Counts {
  added: Record<string, number>;
  removed: Record<string, number>;
}

async function opened(page: Page, served: Intake['served']): Promise<Intake> {
  await watchCore(page);
  const intake = new Intake(page, served);
  await intake.open();
  return intake;
}

/** Makes the core trap when it evaluates the next change. */
async function crash(intake: Intake): Promise<void> {
  await typeAndTrap(intake.page, '/Items/0/Quantity', '41');
  await expect(intake.page.getByRole('alert')).toContainText('InternalError: the core failed');
  await expect(intake.page.getByRole('alert')).toContainText('Your draft is not lost');
}
