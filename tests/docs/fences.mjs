/**
 * Finds the examples of a page: its fenced blocks. After the language, the first line of a fence can have tags:
 *
 * - `playground`: shows an order; the documentation site adds a link that opens it.
 * - `prints`: the output of the example before it (a fence of `text`).
 * - `invalid=CODE`: an order in JSON that has an issue with this code on purpose.
 * - `file=NAME`: is stored under this name, for later examples of the page.
 * - `not-run: REASON`: the rest of the line says why the tests can't run the example.
 *
 * An example whose first line is a comment with the name of a file is stored under that name, so that later examples of
 * the page can import it.
 */

/** A fence may be indented, in a list for instance. */
const FENCE = /^( *)```([\w-]+)(?: +(.*))?\n([\s\S]*?)^\1```$/gm;
const FILE_NAME = /^(?:\/\/|#) ([\w.-]+\.\w+)\n/;

/**
 * @typedef {object} Fence
 * @property {string} language
 * @property {string[]} tags
 * @property {string | undefined} notRun The reason, if the example can't be run.
 * @property {string | undefined} invalid The code of the issue that the order has on purpose.
 * @property {string | undefined} file The name that the example gives itself.
 * @property {number} line Where the fence begins, from 1.
 * @property {string} code
 * @property {string[] | undefined} prints The lines that a `prints` fence after this one promises.
 */

/** @returns {Fence[]} */
export function fencesOf(page) {
  // An example of how to write examples has four backticks. Quoted code is tested with its file.
  const text = page.replaceAll(/^(`{4,})[\s\S]*?^\1$|^<!-- code [\s\S]*?^<!-- \/code -->$/gm, (block) =>
    block.replaceAll(/./g, ''),
  );
  /** @type {Fence[]} */
  const fences = [];
  for (const { index, 1: indent, 2: language, 3: info = '', 4: indented } of text.matchAll(FENCE)) {
    const code = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const [, head, notRun] = /^(.*?)(?:\bnot-run: *(.*))?$/.exec(info) ?? [];
    const tags = head.split(/\s+/).filter(Boolean);
    const previous = fences.at(-1);
    if (tags.includes('prints') && previous) {
      previous.prints = code.split('\n').filter(Boolean);
      continue;
    }
    fences.push({
      language,
      tags,
      notRun,
      invalid: tags.find((tag) => tag.startsWith('invalid='))?.slice('invalid='.length),
      file: tags.find((tag) => tag.startsWith('file='))?.slice('file='.length) ?? FILE_NAME.exec(code)?.[1],
      line: text.slice(0, index).split('\n').length,
      code,
      prints: undefined,
    });
  }
  return fences;
}

/** Returns what an example promises to print: the `prints` fence, else the comments behind `console.log(…);`. */
export function promisedBy({ code, prints }) {
  return prints ?? [...code.matchAll(/^(?:.*console\.log\(.*| *)\); \/\/ (.*)$/gm)].map(([, text]) => text);
}
