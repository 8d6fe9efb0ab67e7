/** Puts the SVG of `<Diagram name="stages" />` into the page, so that it has the colours of the page. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type MarkdownIt from 'markdown-it';

const TAG = /^<Diagram name="([\w-]+)" \/>\s*$/;

export function diagrams(md: MarkdownIt): void {
  // VitePress makes such a token of the tag of a component in a line of its own.
  const { html_inline: html } = md.renderer.rules;
  if (!html) throw new Error('markdown-it has no rule for HTML');
  md.renderer.rules.html_inline = (tokens, index, ...rest) => {
    const [, name] = TAG.exec(tokens[index]?.content ?? '') ?? [];
    return name ? figureOf(name) : html(tokens, index, ...rest);
  };
}

/** Vue allows no style in a page; the site has the same one. Keyboards can scroll what is wider than the screen. */
function figureOf(name: string): string {
  const file = fileURLToPath(new URL(`../diagrams/${name}.svg`, import.meta.url));
  const svg = readFileSync(file, 'utf8').replace(/<style>.*<\/style>\n/, '');
  const [, title = ''] = /<title>(.*)<\/title>/.exec(svg) ?? [];
  return `<div class="diagram-frame" role="group" tabindex="0" aria-label="${title}" v-pre>\n${svg.replaceAll(/\n\s*/g, '')}</div>\n`;
}
