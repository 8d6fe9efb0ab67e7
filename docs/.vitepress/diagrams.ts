/**
 * Puts the SVG of an image in a line of its own into the page, if it is one of docs/diagrams: it then has the colours of the
 * page. A code host shows the image.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type MarkdownIt from 'markdown-it';

const SOURCE = /^(?:\.\.\/)+diagrams\/([\w-]+)\.svg$/;

export function diagrams(md: MarkdownIt): void {
  md.core.ruler.push('diagrams', ({ tokens, Token }) => {
    for (const [index, { type, children, level }] of tokens.entries()) {
      const [image, ...others] = (type === 'inline' && children) || [];
      const [, name] = SOURCE.exec(image?.attrGet('src') ?? '') ?? [];
      if (!image || !name || others.length > 0) continue;
      const figure = new Token('html_block', '', 0);
      figure.level = level - 1;
      figure.content = figureOf(name, md.utils.escapeHtml(image.content));
      // Around it are the tokens of its paragraph.
      tokens.splice(index - 1, 3, figure);
    }
  });
}

/** Vue allows no style in a page; the site has the same one. Keyboards can scroll what is wider than the screen. */
function figureOf(name: string, label: string): string {
  const file = fileURLToPath(new URL(`../diagrams/${name}.svg`, import.meta.url));
  const svg = readFileSync(file, 'utf8').replace(/<style>.*<\/style>\n/, '');
  return `<div class="diagram-frame" role="group" tabindex="0" aria-label="${label}" v-pre>\n${svg.replaceAll(/\n\s*/g, '')}</div>\n`;
}
