import { fieldOfCrate } from '../scripts/build/core.mjs';

/**
 * Where the site is published: `homepage` in Cargo.toml, which the `docUrl` of errors begins with, or DOCS_URL, for instance
 * `https://docs.example.com/sales-order-intake/`. Without them, or with the path alone, links begin at the root of the server.
 */
const address = process.env.DOCS_URL ?? fieldOfCrate('homepage') ?? '/';
const { origin: given, pathname } = new URL(address, 'http://path.invalid');

/** The scheme and host; an empty string if they are unknown. */
export const origin = given === 'http://path.invalid' ? '' : given;

/** The path of the site, with a slash at both ends. */
export const base = pathname.replace(/\/?$/, '/');
