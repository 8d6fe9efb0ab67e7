/**
 * Writes the site for programs that read Markdown: each page at its address with `.md`, `llms.txt` with a link to each
 * (https://llmstxt.org), and `llms-full.txt` with those for users.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { SiteConfig } from 'vitepress';
import { base, origin } from '../site-address.mjs';
import { sidebar } from './navigation.ts';

const INCLUDE = /^<!--@include: (?<path>\S+\.md)#(?<region>\w+)-->$/gm;
/** Code first, in which nothing is replaced. */
const PARTS = new RegExp(
  [
    /^(?<indent> *)(?<fence>`{3,})(?<language>\S*)(?<tags>.*)(?<code>\n[\s\S]*?^\k<indent>\k<fence>) *$/,
    /`[^`\n]+`/,
    // For the site's build.
    /(?<hidden><!--[\s\S]*?-->|\{target="\w+"\})/,
    /!\[(?<diagram>[^\]]*)\]\([^)]*\)/,
    /\]\((?!\w+:|#)(?<path>[^)#\s]+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);
/** A member on the page of a class that another page has, too. */
const INHERITED = /^### .*\n(?:(?!^#{1,3} )[\s\S])*?^#### Inherited from\n\n.*\n+(?:\*\*\*\n+)?/gm;
const API_LINK = /\[(`[^`]+`|[^\]]+)\]\([^)\s]*\/reference\/api\/[^)]*\)/g;
const TITLE_AND_TEXT = /^# (?<title>.+)\n+(?<text>(?:[\w`[(].*\n?)*)/m;

export function writeMarkdown({ pages, site, srcDir, outDir }: SiteConfig): void {
  const texts = new Map(pages.map((page) => [page, markdownOf(page)]));
  const menus = Object.values(sidebar)
    .flat()
    .map(({ text = '', items = [] }) => ({ text, pages: items.flatMap(({ link }) => pageOf(link ?? '') ?? []) }));
  const first = ['index.md', ...menus.flatMap(({ pages }) => pages)];
  const rest = pages.filter((page) => !first.includes(page)).sort();
  const lists = [...new Map([...menus, { text: 'Optional', pages: rest }].map((menu) => [menu.text, menu.pages]))];

  for (const [page, text] of texts) write(page, text);
  write(
    'llms.txt',
    `# ${site.title}\n\n> ${site.description}\n\n[All pages but those for contributors in one file](${addressOf('llms-full.txt')})`,
    ...lists.map(([text, list]) => `## ${text}\n\n${list.map(entryOf).join('\n')}`),
  );
  const whole = [...new Set([...first, ...rest])].filter((page) => !page.startsWith('contributing/'));
  write('llms-full.txt', ...whole.map((page) => `---\nurl: ${addressOf(page)}\n---\n\n${shorter(page)}`));

  /** Without what the file has elsewhere, since assistants read it whole. */
  function shorter(page: string): string {
    const text = texts.get(page) ?? '';
    return page.startsWith('reference/api/') ? text.replaceAll(INHERITED, '').replaceAll(API_LINK, '$1') : text;
  }

  function write(path: string, ...parts: string[]) {
    const file = join(outDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${parts.join('\n\n')}\n`);
  }

  function markdownOf(page: string): string {
    const read = (path: string) => readFileSync(join(srcDir, path), 'utf8');
    return read(page)
      .replace(/^---\n[\s\S]*?\n---\n/, '')
      .replaceAll(INCLUDE, (_, path, region) => {
        const [, part = ''] = read(join(dirname(page), path)).split(new RegExp(`<!-- #(?:end)?region ${region} -->`));
        return part;
      })
      .replaceAll(PARTS, (all, ...groups) => {
        const { indent, fence, language, tags, code, hidden, diagram, path } = groups.at(-1);
        if (fence) return `${indent}${fence}${language}${tags.replace(/ playground.*/, '')}${code}`;
        if (hidden) return '';
        if (diagram !== undefined) return `(Diagram: ${diagram})`;
        return path ? `](${linkOf(page, path)}` : all;
      })
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }

  function linkOf(from: string, path: string): string {
    const target = path.startsWith('/') ? path : posix.join('/', posix.dirname(from), path);
    return addressOf(pageOf(target) ?? target.slice(1));
  }

  /** The page of a path that begins with a slash. */
  function pageOf(path: string): string | undefined {
    const name = path.slice(1);
    return [name, `${name}.md`, posix.join(name, 'index.md')].find((page) => pages.includes(page));
  }

  /** A link to a page, with its title and first sentence. */
  function entryOf(page: string): string {
    const { title = page, text = '' } = TITLE_AND_TEXT.exec(texts.get(page) ?? '')?.groups ?? {};
    const [sentence] =
      /^.*?\.(?=\s|$)/.exec(text.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')) ?? [];
    return `- [${title}](${addressOf(page)})${sentence ? `: ${sentence}` : ''}`;
  }
}

function addressOf(path: string): string {
  return `${origin}${base}${path}`;
}

/** Tells programs where the Markdown of a page is. */
export function linkToMarkdown(page: string): [string, Record<string, string>][] {
  return page === '404.md' ? [] : [['link', { rel: 'alternate', type: 'text/markdown', href: addressOf(page) }]];
}
