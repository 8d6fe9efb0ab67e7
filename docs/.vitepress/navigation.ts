/** The menus: a page that is not listed here is found by search only. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const guides = [
  page('A storefront', '/guides/storefront'),
  page('React', '/guides/react'),
  page('Vue', '/guides/vue'),
  page('Translated issues', '/guides/translate'),
  page('A Node backend', '/guides/node-backend'),
  page('Batch export', '/guides/batch-export'),
  page('From a shop system', '/guides/shop-systems'),
  page('The outbox', '/guides/outbox'),
  page('For operators', '/guides/operators'),
  page('Traces', '/guides/traces'),
  page('PHP, Python, C#, Ruby, Go', '/guides/relay'),
  page('Assistants (MCP)', '/guides/assistants'),
  page('Testing', '/guides/testing'),
  page('Edge and workers', '/guides/edge'),
  page('Rust', '/guides/rust'),
];

const concepts = [
  page('Lost the response?', '/concepts/lost-response'),
  page('Ids and retries', '/concepts/ids-and-retries'),
  page('Money and rounding', '/concepts/money-and-rounding'),
  page('Taxes and discounts', '/concepts/taxes-and-discounts'),
  page('What can happen to an order', '/concepts/order-fates'),
];

const contributing = [
  page('Where things are', '/contributing/layout'),
  page('Stages of an order', '/contributing/stages'),
  page('Tests', '/contributing/tests'),
  page('The simulation', '/contributing/simulation'),
  page('Add a rule', '/contributing/adding-a-rule'),
  page('These pages', '/contributing/docs'),
];

const reference: DefaultTheme.SidebarItem[] = [
  { text: 'TypeScript API', link: '/reference/api/', collapsed: true, items: apiPages() },
  // rustdoc's own pages: the router of this site must not open them.
  { text: 'Rust API', link: '/rust/sales_order_intake/index.html', target: '_self' },
  page('Command line', '/reference/cli'),
  { text: 'Issue codes', link: '/reference/issue-codes/' },
  page('Reasons and causes', '/reference/reasons'),
  page('Decisions', '/reference/decisions'),
  page('HTTP', '/reference/http'),
  page('Where it runs', '/reference/runtimes'),
  page('Time limits', '/reference/time-limits'),
  page('Performance', '/reference/performance'),
];

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guides', link: '/guides/storefront', activeMatch: '^/guides/' },
  { text: 'Concepts', link: '/concepts/lost-response', activeMatch: '^/concepts/' },
  { text: 'Reference', link: '/reference/api/', activeMatch: '^/reference/' },
  { text: 'Contributing', link: '/contributing/layout', activeMatch: '^/contributing/' },
  { text: 'Playground', link: '/playground/index.html', target: '_self', noIcon: true },
];

const learn: DefaultTheme.SidebarItem[] = [
  { text: 'Guides', items: guides },
  { text: 'Concepts', items: concepts },
];

export const sidebar: Record<string, DefaultTheme.SidebarItem[]> = {
  '/guides/': learn,
  '/concepts/': learn,
  '/reference/': [{ text: 'Reference', items: reference }],
  '/contributing/': [{ text: 'Contributing', items: contributing }],
};

/** The menu that TypeDoc has written beside its pages. */
function apiPages(): DefaultTheme.SidebarItem[] {
  const file = fileURLToPath(new URL('../reference/api/typedoc-sidebar.json', import.meta.url));
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}
