/**
 * Where the site is published: DOCS_URL, for instance `https://docs.example.com/sales-order-intake/`. Without it, or with the
 * path alone, links begin at the root of the server.
 */
const { origin: given, pathname } = new URL(process.env.DOCS_URL ?? '/', 'http://path.invalid');

/** The scheme and host; an empty string if they are unknown. */
export const origin = given === 'http://path.invalid' ? '' : given;

/** The path of the site, with a slash at both ends. */
export const base = pathname.replace(/\/?$/, '/');
