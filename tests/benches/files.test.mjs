/** Tests that `check` and its peer do the same job for files: they find the same orders invalid, at the same lines. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeOrderFiles } from '../../benches/order-files.mjs';
import { root, target } from '../../scripts/places.mjs';

/** What is wrong with an order, by its number. */
const MISTAKES = {
  3: (order) => {
    order.Items[1].Quantity = 0;
  },
  10: (order) => {
    order.Items[0].CatalogItemId = 'tea';
  },
  11: (order) => {
    order.EntityId = 0;
  },
  17: (order) => {
    order.Items[0].SellAtPricePerUnit = -1;
  },
  24: (order) => {
    order.Taxes[0].TaxAmount = -0.5;
  },
  31: (order) => {
    order.Notes = 'x'.repeat(251);
  },
  40: (order) => {
    order.Id = '2a8f5d33-eec9-4864-8b49-000000000000';
  },
};

const COUNT = 50;

for (const [file, map, rowsOf] of /** @type {[string, string[], (number: number) => number][]} */ ([
  ['orders.ndjson', [], () => 1],
  ['orders.csv', ['mapping.json'], (number) => 1 + (number % 5)],
])) {
  test(`${file}: both report the same orders`, (t) => {
    mkdirSync(target, { recursive: true });
    const folder = mkdtempSync(join(target, 'files-bench-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeOrderFiles(folder, COUNT, (order, number) => MISTAKES[number]?.(order));
    // The number of the order of each line.
    const numbers = Array.from({ length: COUNT }, (_, number) => Array(rowsOf(number)).fill(number)).flat();
    const firstLine = map.length + 1;
    const reported = (program, ...args) => {
      const { stdout } = spawnSync(process.execPath, [join(root, program), ...args], { cwd: folder });
      const lines = [...`${stdout}`.matchAll(/^orders\.\w+:(\d+)/gm)];
      return new Set(lines.map(([, line]) => numbers[Number(line) - firstLine]));
    };
    const wrong = new Set(Object.keys(MISTAKES).map(Number));
    assert.deepEqual(reported('benches/peers/check-file.mjs', file, ...map), wrong);
    const flags = map.flatMap((each) => ['--map', each]);
    assert.deepEqual(reported('pkg/dist/cli/main.js', 'check', file, ...flags), wrong);
  });
}
