// Sources of init that need types of the platform (tests/types/compile.test.mjs).
import { init } from 'sales-order-intake';

export async function start(url: URL, response: Response): Promise<void> {
  await init(url);
  await init(response);
  await init(Promise.resolve(response));
  await init(fetch(url));
}
