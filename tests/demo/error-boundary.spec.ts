/** The core traps while the page renders: the page shows an error and loses nothing. */
import type { Page } from '@playwright/test';
import { trapNextCall, watchCore } from './core-calls';
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

test('event listeners, timers and requests end with what started them', async ({ page, served }) => {
  await page.addInitScript(() => {
    const listeners: Record<string, number> = {};
    Object.assign(window, { listeners });
    const { addEventListener, removeEventListener } = window;
    const count = (type: string, by: number) => {
      listeners[type] = (listeners[type] ?? 0) + by;
    };
    window.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      count(args[0], 1);
      addEventListener.apply(window, args);
    };
    window.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      count(args[0], -1);
      removeEventListener.apply(window, args);
    };
  });
  const intake = await opened(page, served);
  const listeners = () => page.evaluate(() => ({ ...(window as unknown as { listeners: object }).listeners }));
  const before = await listeners();
  expect(before).toMatchObject({ hashchange: 1, online: 1, offline: 1 });
  await crash(intake);
  await page.getByRole('button', { name: 'Try again' }).click();
  await intake.running();
  expect(await listeners()).toEqual(before);
});

async function opened(page: Page, served: Intake['served']): Promise<Intake> {
  await watchCore(page);
  const intake = new Intake(page, served);
  await intake.open();
  return intake;
}

/** Makes the core trap when it evaluates the next change. */
async function crash(intake: Intake): Promise<void> {
  await trapNextCall(intake.page);
  await intake.at('/Items/0/Quantity').fill('41');
  await expect(intake.page.getByRole('alert')).toContainText('InternalError: the core failed');
  await expect(intake.page.getByRole('alert')).toContainText('Your draft is not lost');
}
