/**
 * Renders docs/diagrams/*.dot with Graphviz, and the bars of benches/figures.json: `make test ONLY=pictures`. The result depends on
 * nothing but the sources, so the tests render again and compare.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';
import { root } from '../../scripts/places.mjs';
import { barChart } from './bars.mjs';
import { svgOf } from './svg.mjs';

const folder = join(root, 'docs/diagrams');
/** Browsers may have a wider font than the one that Graphviz measures: it measures larger letters than are shown. */
const MEASURED = { fontname: 'Helvetica', node: 15, edge: 14 };
const SHOWN = { node: 13, edge: 12 };

/** Returns all pictures by the name of their file. */
export async function diagrams() {
  const viz = await instance();
  const sources = readdirSync(folder).filter((name) => name.endsWith('.dot'));
  const drawn = sources.map((name) => [
    name.replace('.dot', '.svg'),
    drawnWith(viz, readFileSync(join(folder, name), 'utf8')),
  ]);
  const figures = JSON.parse(readFileSync(join(root, 'benches/figures.json'), 'utf8'));
  return { ...Object.fromEntries(drawn), 'benchmark.svg': barChart(figures) };
}

function drawnWith(viz, source) {
  const svg = viz.renderString(source, {
    format: 'svg',
    graphAttributes: { bgcolor: 'transparent', pad: 0.1 },
    nodeAttributes: {
      fontname: MEASURED.fontname,
      fontsize: MEASURED.node,
      shape: 'box',
      style: 'rounded',
      margin: '0.14,0.07',
      height: 0.3,
    },
    edgeAttributes: { fontname: MEASURED.fontname, fontsize: MEASURED.edge, arrowsize: 0.7 },
  });
  const [, width = '', height = ''] = /viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  const drawing = svg
    .slice(svg.indexOf('<g id="graph0"'), svg.lastIndexOf('</svg>'))
    // Ids would repeat in a page with two diagrams, titles show the names of nodes, and style sheets give fonts and colours.
    .replaceAll(/<title>.*?<\/title>\n/gs, '')
    .replaceAll(/<!--.*?-->\n/gs, '')
    .replaceAll(`font-size="${MEASURED.node}.00"`, `font-size="${SHOWN.node}"`)
    .replaceAll(`font-size="${MEASURED.edge}.00"`, `font-size="${SHOWN.edge}"`)
    .replaceAll(/ (?:id|fill|stroke|font-family)="[^"]*"/g, '');
  return svgOf({
    title: commentOf(source, 'title'),
    description: commentOf(source, 'desc'),
    width: Number(width),
    height: Number(height),
    drawing: drawing.trim(),
  });
}

function commentOf(source, name) {
  const [, text] = new RegExp(`^// ${name}: (.*)$`, 'm').exec(source) ?? [];
  if (!text) throw new Error(`a diagram has no comment "// ${name}: …"`);
  return text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, svg] of Object.entries(await diagrams())) writeFileSync(join(folder, name), svg);
}
