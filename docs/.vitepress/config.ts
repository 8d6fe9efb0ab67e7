import { defineConfig } from 'vitepress';
import { nav, sidebar } from './navigation.ts';
import { base } from '../site-address.mjs';
import { diagrams } from './diagrams.ts';
import { linkToMarkdown, writeMarkdown } from './markdown-pages.ts';
import { playgroundLinks } from './playground-links.ts';

export default defineConfig({
  lang: 'en',
  title: 'Sales order intake',
  description: 'Previews and sends sales orders: exact money, one Id for every attempt, a clear outcome.',
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
  // The index of the search is large, and loaded when somebody searches.
  buildEnd: writeMarkdown,
  transformHead: ({ page }) => linkToMarkdown(page),
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    // Long pages have every word: a page that is about it comes first, and a guide before the members of the API.
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            boost: { title: 20, titles: 4, text: 1 },
            boostDocument: (id: string) => (id.includes('/reference/api/') ? 0.02 : 1),
          },
        },
      },
    },
    externalLinkIcon: true,
  },
});
