/** The actions and parts of the page, as its users see them. */
import { test as base, type Locator, type Page } from '@playwright/test';
import { servePage, type Served } from './served';

export const test = base.extend<{ intake: Intake }, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its parameter
    async ({}, use) => {
      const served = await servePage();
      await use(served);
      await served.stop();
    },
    { scope: 'worker' },
  ],
  intake: async ({ page, served }, use) => {
    const intake = new Intake(page, served);
    await intake.open();
    await use(intake);
  },
});

export { expect } from '@playwright/test';

export type Tab = 'Receipt' | 'Issues' | 'Request' | 'Send';

export class Intake {
  readonly page: Page;
  readonly served: Served;

  constructor(page: Page, served: Served) {
    this.page = page;
    this.served = served;
  }

  /** Opens the address that the service prints. */
  async open(): Promise<void> {
    await this.page.goto(this.served.page);
    await this.running();
  }

  /** Waits until the order has been evaluated. */
  async running(): Promise<void> {
    await this.page
      .getByText(/Ready to send|Cannot be sent/)
      .first()
      .waitFor();
  }

  /** Returns the field of a JSON Pointer. */
  at(pointer: string): Locator {
    return this.page.locator(`[id="${pointer}"]`);
  }

  /** Returns the messages of a field, a row or a part. */
  messagesOf(pointer: string): Locator {
    return this.page.locator(`[id="${pointer}!"]`);
  }

  /** Returns an amount of the receipt, by its JSON Pointer in the preview. */
  figure(of: string): Locator {
    return this.page.locator(`[data-of="${of}"]`);
  }

  get verdict(): Locator {
    return this.page.locator('.summary .verdict');
  }

  get receipt(): Locator {
    return this.page.getByRole('article', { name: 'Receipt' });
  }

  async load(example: string): Promise<void> {
    await this.page.getByLabel('Example').selectOption({ label: example });
    await this.page.getByRole('button', { name: 'Load' }).click();
  }

  /** Opens files as the button does. */
  async openFiles(files: Record<string, string | Buffer>): Promise<void> {
    const chooser = this.page.locator('.actions input[type=file]');
    await chooser.setInputFiles(Object.entries(files).map(([name, content]) => fileOf(name, content)));
  }

  /** The part of the page about the opened file. */
  get file(): Locator {
    return this.page.getByRole('region', { name: 'Opened file' });
  }

  async show(tab: Tab): Promise<void> {
    await this.page.getByRole('tab', { name: tab }).click();
  }

  async send(fault?: { fault: string; times?: string }): Promise<void> {
    await this.show('Send');
    await this.page.getByLabel('Injected fault').selectOption(fault?.fault ?? '');
    await this.page.getByLabel('Affects').selectOption(fault?.times ?? '1');
    await this.page.getByRole('button', { name: 'Send the order' }).click();
  }

  get created(): Locator {
    return this.page.getByRole('region', { name: 'Created order' });
  }

  get failure(): Locator {
    return this.page.getByRole('region', { name: 'Failure' });
  }

  get attempts(): Locator {
    return this.page.getByRole('log', { name: 'Attempts' }).getByRole('listitem');
  }
}

export const fileOf = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content as string),
});
