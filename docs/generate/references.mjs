/** Links sections of the specification (§2.1) and decisions (D18) in Markdown to their rows. */
export function linked(markdown) {
  return markdown
    .replaceAll(/(?<!RFC \d+,? )§(\d+(?:\.\d+)*)/g, (all, section) => link(all, `s${section.replaceAll('.', '-')}`))
    .replaceAll(/\bD(\d+)\b/g, (all, number) => link(all, `d${number}`));
}

const link = (text, anchor) => `[${text}](/reference/decisions#${anchor})`;
