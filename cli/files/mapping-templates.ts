import amazon from './templates/amazon.json';
import common from './templates/common.json';
import lightspeed from './templates/lightspeed.json';
import magento from './templates/magento.json';
import plain from './templates/plain.json';
import shopify from './templates/shopify.json';
import square from './templates/square.json';
import woocommerce from './templates/woocommerce.json';

/** Mappings of the exports of shop systems, with the published names of their columns. Lightspeed was Vend. */
const TEMPLATES = { shopify, woocommerce, square, lightspeed, vend: lightspeed, magento, amazon };

export const TEMPLATE_NAMES: readonly string[] = Object.keys(TEMPLATES);

/** Returns a mapping to start from, with a namespace of its own: that of a shop system, or one for a plain table. */
export function mappingText(system: string | undefined, namespace: string): string {
  const { '//': about, ...mapping } = TEMPLATES[system as keyof typeof TEMPLATES] ?? plain;
  return JSON.stringify({ ...common, '//': { ...about, ...common['//'] }, namespace, ...mapping }, null, 2);
}
