import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { nav, sidebar } from './navigation.ts';
import { base, origin } from '../site-address.mjs';
import { diagrams } from './diagrams.ts';
import { playgroundLinks } from './playground-links.ts';

/** Without one, a browser asks for /favicon.ico. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b6b5d' d='M3 1h10v14l-2-1.5L9.5 15 8 13.5 6.5 15 5 13.5 3 15z'/%3E%3Cpath stroke='%23fff' d='M5 4.5h6M5 7h6M5 9.5h4'/%3E%3C/svg%3E";

export default defineConfig({
  lang: 'en',
  title: 'Sales order intake',
  description: 'Checks, previews and sends sales orders: exact amounts, one Id for every attempt, a clear outcome.',
  base,
  cacheDir: '../target/docs-cache',
  // rustdoc ships Markdown files that are not pages.
  srcExclude: ['public/**'],
  // A link to a page that does not exist fails the build; tests/docs checks anchors too.
  ignoreDeadLinks: false,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      md.use(playgroundLinks, base);
      md.use(diagrams);
    },
  },
  head: [['link', { rel: 'icon', href: ICON }]],
  vite: {
    // The index of the search is large, and loaded when somebody searches.
    build: { chunkSizeWarningLimit: 4000 },
    // Each page as Markdown, llms.txt (https://llmstxt.org), and llms-full.txt for users.
    plugins: [
      llmstxt({
        ...(origin && { domain: origin }),
        excludeIndexPage: false,
        injectLLMHint: false,
        // It would write the text around a comment anew.
        stripHTML: false,
        // Two menus have the same pages.
        sidebar: [...new Set(Object.values(sidebar).flat())],
        ignoreFilesPerOutput: { llmsFullTxt: ['contributing/*'] },
      }),
    ],
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    // Long pages have every word: a page that is about it comes first, and a guide before decisions and the members of the API.
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            boost: { title: 20, titles: 4, text: 1 },
            boostDocument: (id: string) =>
              id.includes('/reference/api/') ? 0.02 : id.includes('/reference/decisions') ? 0.3 : 1,
          },
        },
      },
    },
    externalLinkIcon: true,
  },
});
