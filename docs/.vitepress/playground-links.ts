/** Adds a link to examples with the word `playground` after their language: it opens the order in the playground. */
import type MarkdownIt from 'markdown-it';
import type { PreviewOptions, SalesOrderInput } from 'sales-order-intake/slim';
import { draftOf, optionsOf, orderOf } from '../../www/demo/src/draft.ts';
import { isRecord, orderInCode, type OrderInCode } from './order-in-code.ts';

/** The built package. */
const core: typeof import('sales-order-intake/slim') = await import(
  new URL('../../pkg/dist/esm/index.js', import.meta.url).href
);

export function playgroundLinks(md: MarkdownIt, base: string): void {
  const fence = md.renderer.rules.fence;
  if (!fence) throw new Error('markdown-it has no rule for fences');
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const tag = token && tagOf(token.info);
    if (!token || !tag) return fence(tokens, index, options, env, self);
    token.info = tag.info;
    const html = fence(tokens, index, options, env, self);
    const example = exampleOf(tag, token.content);
    const missing = example === null ? 'it has no order' : differenceOf(example);
    if (example === null || missing) {
      if (tag.isOptional) return html;
      throw new Error(`${env.relativePath}: the playground cannot show an example: ${missing}\n${token.content}`);
    }
    return `${html}<p class="playground-link"><a href="${addressOf(example, base)}" target="_blank">Open in the playground</a></p>\n`;
  };
}

interface Tag {
  /** The rest of the info string: the language, and what VitePress reads. */
  info: string;
  language: string;
  /** The link is left out if the playground cannot show the order. */
  isOptional: boolean;
  options: Record<string, unknown>;
}

const TAG = / playground(=optional)?(?: options=(\{.*\}))?(?=\s|$)/;

function tagOf(info: string): Tag | null {
  const [tag, optional, options] = TAG.exec(info) ?? [];
  if (tag === undefined) return null;
  return {
    info: info.replace(tag, ''),
    language: /^\w+/.exec(info)?.[0] ?? '',
    isOptional: optional !== undefined,
    options: options === undefined ? {} : JSON.parse(options),
  };
}

function exampleOf({ language, options }: Tag, content: string): OrderInCode | null {
  if (language !== 'json') return orderInCode(content);
  const order: unknown = JSON.parse(content);
  return isRecord(order) ? { order, options } : null;
}

/** The playground reads the fragment, which a browser does not send. */
function addressOf({ order, options }: OrderInCode, base: string): string {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const rest = Object.keys(options).length > 0 ? `&amp;options=${encoded(options)}` : '';
  return `${base}playground/index.html#order=${encoded(order)}${rest}`;
}

/**
 * Names the issues that only the example or only the playground would have; an empty string if both have the same
 * result.
 */
function differenceOf({ order, options }: OrderInCode): string {
  const Id = order.Id ?? SOME_ID; // The playground makes an Id for an order that has none.
  const { draft } = draftOf({ order: { ...order, Id }, preview: options });
  const given = resultOf({ ...order, Id } as SalesOrderInput, options);
  const shown = resultOf(orderOf(draft), optionsOf(draft));
  const differences = [
    ...given.filter((each) => !shown.includes(each)),
    ...shown.filter((each) => !given.includes(each)).map((each) => `${each}, in the playground only`),
  ];
  return differences.join('; ');
}

const SOME_ID = '2a8f5d33-eec9-4864-8b49-5636577b40d5';

/** The issues with their locations, and the totals. Only validateOrder reports members that a request leaves out. */
function resultOf(order: SalesOrderInput, options: PreviewOptions): string[] {
  const { issues, totals } = core.evaluateOrder(order, options);
  const all = [...issues, ...core.validateOrder(order, options).issues];
  return [
    `subtotal ${totals.subtotal}`,
    `total ${totals.total}`,
    ...all.map(({ code, pointer }) => `${code} at ${pointer}`),
  ];
}
