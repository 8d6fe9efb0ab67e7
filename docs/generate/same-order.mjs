/** Writes the vectors of the same order (D28), which the tests play, as a file for other services. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { numbers, replays } from '../../tests/testing/replays.mjs';

const ID = '2a8f5d33-eec9-4864-8b49-5636577b40d5';

/** @param {string} file */
export function writeSameOrder(file) {
  const orders = replays.map(({ title, order, equal, different }) => {
    const json = JSON.stringify(order(ID));
    return { title, order: json, equal: equal(json), different: different(json) };
  });
  const vectors = {
    about:
      'Orders as JSON in strings. Each of `equal` is the same order as `order`: 200 with the stored order. Each of `different` has its Id and is another order: 409, or 400 if it is invalid. `numbers` are values of unknown members: those of a group are equal, those of two groups are not.',
    orders,
    numbers,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(vectors, null, 2)}\n`);
}
