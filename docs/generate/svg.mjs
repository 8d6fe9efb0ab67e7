/** An SVG with a title and a description for people who do not see it, and the colours of diagram.css. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

const STYLE = readFileSync(join(root, 'docs/diagrams/diagram.css'), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ')
  .trim();

export function svgOf({ title, description, width, height, drawing }) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<style>${STYLE}</style>`,
    drawing,
    '</svg>\n',
  ].join('\n');
}

export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
