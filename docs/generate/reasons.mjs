/** Writes the page of the reasons and causes of the outbox, with the sentences of the built package. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pkg } from '../../scripts/places.mjs';

/** @param {string} file */
export async function writeReasons(file) {
  const { entryReasons, pauseCauses } = await import(pathToFileURL(join(pkg, 'dist/esm/outbox/index.js')).href);
  const page = `# Reasons and causes

\`npx sales-order-intake explain Deadline\` prints these sentences, too.

## Reasons of an entry

\`reason\` of an entry of [the outbox](../guides/outbox.md) says why it is in its state.

${table(entryReasons)}

## Causes of a pause

\`pause.cause\` says why deliveries are held back: all of them, or those to one location.

${table(pauseCauses)}
`;
  writeFileSync(file, page);
}

/** @param {Record<string, import('../../outbox/reason.ts').Explanation>} explanations */
function table(explanations) {
  const rows = Object.entries(explanations).map(
    ([name, { meaning, remedy }]) => `| \`${name}\` | ${meaning} | ${remedy} |`,
  );
  return ['| Name | Meaning | What to do |', '|---|---|---|', ...rows].join('\n');
}
