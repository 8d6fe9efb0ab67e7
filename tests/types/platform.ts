// Sources that only programs with these types of the platform can name (tests/types/compile.test.mjs).
import { init } from 'sales-order-intake';

export async function start(url: URL, response: Response): Promise<void> {
  await init(url);
  await init(response);
  await init(Promise.resolve(response));
}
