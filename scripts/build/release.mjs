/** The core, and the reference service for tests, as files of a release. */

/** The name of the file that lists the digests, as sha256sum prints it. */
export const DIGESTS = 'core.sha256';

/** Returns the name of a file of a module (core.mjs) with a hash of sources. */
export const fileOf = (hash, file = 'core.wasm') => file.replace('.', `-${hash}.`);

/** Returns the address of the files of a version's release, from the address of the repository as git has it. */
export function releaseAddress(repository, version) {
  // `git@host:path` is short for `ssh://git@host/path`.
  const ssh = repository.match(/^(?:ssh:\/\/)?[^/@]+@([^/:]+)(?::\d+)?[/:](.+)$/);
  if (!ssh && !/^https?:\/\//.test(repository)) throw new Error(`${repository} is not an address on the web`);
  const { protocol, host, pathname } = new URL(ssh ? `https://${ssh[1]}/${ssh[2]}` : repository);
  return `${protocol}//${host}${pathname.replace(/(\.git)?\/?$/, '')}/releases/download/v${version}`;
}
