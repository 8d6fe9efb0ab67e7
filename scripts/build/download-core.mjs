/**
 * Downloads the core and the reference service for tests that the sources here ask for from a release, so that a build needs no Rust:
 * `node scripts/build/download-core.mjs [--from <address>]`. The address is that of the release's files. The default is the
 * release of the version in Cargo.toml, in the repository of the remote `upstream`, or else `origin`.
 */
import { parseArgs } from 'node:util';
import { root } from '../places.mjs';
import { fail, output } from '../run.mjs';
import { checkCore } from './check-core.mjs';
import { FILES, findCore, hashOfCore, storeCore, versionOfCrate } from './core.mjs';
import { sha256 } from './hash.mjs';
import { DIGESTS, fileOf, releaseAddress } from './release.mjs';

/** A minute for each file only catches a server that does not respond. */
const LIMIT = 60_000;

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const hash = hashOfCore();
const version = versionOfCrate();
if (findCore(hash)) {
  console.log(`target/core/${hash} is stored already`);
} else {
  storeCore(hash, await download(values.from ?? releaseAddress(repository(), version)));
  console.log(`stored the core in target/core/${hash}`);
}

function repository() {
  const address = (remote) => output('git', ['remote', 'get-url', remote], { cwd: root });
  return address('upstream') ?? address('origin') ?? fail('This clone has no remote: name an address with --from');
}

async function download(from) {
  const digests = await get(`${from}/${DIGESTS}`);
  const listed = Object.fromEntries(
    [...digests.toString().matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, digest, file]) => [file, digest]),
  );
  const file = fileOf(hash);
  if (!listed[file])
    fail(
      `The core of the release (${Object.keys(listed).join(', ')}) is not that of the sources here (${file}): Cargo.toml, ` +
        'Cargo.lock, src, service/rules or what builds them has changed. Install Rust (https://rustup.rs), or check out the ' +
        `release: git switch --detach v${version}`,
    );
  const files = await Promise.all(
    FILES.map(async (file) => {
      const address = `${from}/${fileOf(hash, file)}`;
      const contents = await get(address);
      if (sha256(contents) !== listed[fileOf(hash, file)])
        fail(`${address} does not have the SHA-256 that ${DIGESTS} lists`);
      return [file, contents];
    }),
  );
  const modules = Object.fromEntries(files);
  checkCore(modules['core.wasm'], modules['core.js']);
  for (const part of ['orders.wasm', 'fates.wasm']) checkCore(modules[part], modules['core.js'], { isPart: true });
  checkCore(modules['service.wasm'], modules['service.js']);
  return modules;
}

async function get(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT) });
    if (!response.ok)
      fail(`${address} has status ${response.status}: does release ${version} exist, and has it a core?`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    return fail(`${address} could not be downloaded: ${error.cause?.message ?? error.message}`);
  }
}
