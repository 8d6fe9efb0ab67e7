/** Tests the scripts of the release workflow. Stub programs take the place of the registries' clients. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sumsOf } from '../../scripts/build/hash.mjs';
import { notesOf } from '../../scripts/release/assemble.mjs';
import { addresses } from '../../scripts/build/package.mjs';
import { problemsOf } from '../../scripts/release/check.mjs';

const skip = process.platform === 'win32' && 'the stubs are shell scripts';

function folderOf(t) {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the check before a release', () => {
  const GOOD = {
    version: '1.2.3',
    heading: '## 1.2.3 (2026-11-22)',
    crate: 'https://github.com/an/owner',
  };

  /** Returns the problems of a repository that differs from a good one. */
  function problems(t, changes = {}, tag = 'v1.2.3') {
    const folder = folderOf(t);
    const { version, heading, crate } = { ...GOOD, ...changes };
    writeFileSync(
      join(folder, 'Cargo.toml'),
      `[workspace]\nmembers = ["b"]\n\n[workspace.package]\nname = "a"\nversion = "${version}"\nrepository = "${crate}"\n\n[dependencies]\nb = { version = "9" }\n`,
    );
    writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n\nText.\n\n## 1.2.2 (2026-01-01)\n`);
    return problemsOf(folder, tag, 'an/owner');
  }

  test('accepts a tag that everything agrees with', (t) => {
    assert.deepEqual(problems(t), []);
  });

  test('rejects a tag of another version', (t) => {
    assert.deepEqual(problems(t, {}, 'v1.2.4'), ['the tag is v1.2.4, and the version in Cargo.toml is 1.2.3']);
    assert.equal(problems(t, {}, '1.2.3').length, 1);
  });

  for (const heading of ['## 1.2.3 (unreleased)', '## 1.2.3', '## 1.2.4 (2026-11-22)', '## 11.2.3 (2026-11-22)'])
    test(`rejects the heading "${heading}"`, (t) => {
      assert.deepEqual(problems(t, { heading }), [
        `the first heading of CHANGELOG.md is "${heading}", not "## 1.2.3 (YYYY-MM-DD)"`,
      ]);
    });

  test('rejects a crate that names another repository', (t) => {
    assert.deepEqual(problems(t, { crate: 'https://github.com/an/other' }), [
      'the repository in Cargo.toml is https://github.com/an/other, not https://github.com/an/owner',
    ]);
  });
});

test('the npm package has the addresses that Cargo.toml has', (t) => {
  const folder = folderOf(t);
  const write = (fields) => writeFileSync(join(folder, 'Cargo.toml'), `[workspace.package]\n${fields}\n[package]\n`);
  write('version = "1.2.3"');
  assert.deepEqual(addresses(folder), {});
  write('homepage = "https://owner.example"');
  assert.deepEqual(addresses(folder), { homepage: 'https://owner.example' });
  write('repository = "https://github.com/an/owner"\nhomepage = "https://owner.example"');
  assert.deepEqual(addresses(folder), {
    homepage: 'https://owner.example',
    repository: { type: 'git', url: 'git+https://github.com/an/owner.git' },
    bugs: 'https://github.com/an/owner/issues',
  });
});

test('the notes of a release are the entry of its version', () => {
  const changelog = '# Changelog\n\n## 0.3.0 (2026-12-01)\n\nOne.\n\n### Client\n- Two.\n\n## 0.2.0\n\nThree.\n';
  assert.equal(notesOf(changelog, '0.3.0'), 'One.\n\n### Client\n- Two.\n');
  assert.equal(notesOf(changelog, '0.2.0'), 'Three.\n');
});

test('the list of sums is the one that sha256sum checks', { skip }, (t) => {
  const folder = folderOf(t);
  mkdirSync(join(folder, 'dist/esm'), { recursive: true });
  writeFileSync(join(folder, 'dist/esm/index.js'), 'export {};\n');
  writeFileSync(join(folder, 'core.wasm'), Buffer.from([0, 97, 115, 109]));
  const sums = sumsOf(folder);
  assert.match(sums, /^[0-9a-f]{64} {2}core\.wasm\n[0-9a-f]{64} {2}dist\/esm\/index\.js\n$/);
  // macOS has shasum instead.
  const [program, ...args] = existsSync('/usr/bin/sha256sum') ? ['sha256sum'] : ['shasum', '-a', '256'];
  const checked = () => spawnSync(program, [...args, '--check', '-'], { cwd: folder, input: sums, encoding: 'utf8' });
  assert.equal(checked().status, 0);
  writeFileSync(join(folder, 'dist/esm/index.js'), 'export default 1;\n');
  assert.match(checked().stdout, /^dist\/esm\/index\.js: FAILED$/m);
});

describe('publishing', { skip }, () => {
  const script = fileURLToPath(new URL('../../scripts/release/publish.mjs', import.meta.url));
  const bytes = 'the bytes';
  const digest = (algorithm, encoding, of = bytes) => createHash(algorithm).update(of).digest(encoding);

  /**
   * Publishes a file with stubs of cargo and npm, which record their arguments.
   *
   * @param {string} file
   * @param {string} stubs The bodies of the stubs: what cargo prints for a lock file and packs, what npm reports.
   */
  function publish(t, file, stubs) {
    const folder = folderOf(t);
    const log = join(folder, 'log');
    for (const name of ['cargo', 'npm']) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${stubs}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    writeFileSync(join(folder, file), bytes);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, file.endsWith('.tgz') ? 'npm' : 'crate', join(folder, file)],
      { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } },
    );
    const calls = readFileSync(log, 'utf8').replaceAll(folder, '').split('\n').filter(Boolean);
    return { status, out: stdout + stderr, published: calls.filter((call) => call.includes(' publish ')) };
  }

  const lockWith = (sum) =>
    `printf 'name = "thing"\\nversion = "1.0.0"\\nsource = "registry"\\nchecksum = "${sum}"\\n' > Cargo.lock`;
  const packs = (content) =>
    `[ "$1" = package ] && for folder; do :; done && mkdir "$folder/package" && printf '${content}' > "$folder/package/thing-1.0.0.crate"`;
  const cargo = (lookup, content = bytes) =>
    `[ "$1" = generate-lockfile ] && { ${lookup}; exit; }\n${packs(content)}\nexit 0`;
  const MISSING = "echo 'error: no matching package named `thing` found' >&2; exit 101";

  test('a new crate is published, without compiling it again', (t) => {
    const { status, out, published } = publish(t, 'thing-1.0.0.crate', cargo(MISSING));
    assert.equal(status, 0, out);
    assert.deepEqual(published, ['cargo publish --locked --no-verify']);
  });

  test('a crate that is published with the same bytes is left alone', (t) => {
    const { status, out, published } = publish(t, 'thing-1.0.0.crate', cargo(lockWith(digest('sha256', 'hex'))));
    assert.equal(status, 0, out);
    assert.match(out, /thing 1\.0\.0 is published already, with the same bytes/);
    assert.deepEqual(published, []);
  });

  test('a crate that is published with other bytes fails', (t) => {
    const { status, out } = publish(t, 'thing-1.0.0.crate', cargo(lockWith('0'.repeat(64))));
    assert.equal(status, 1);
    assert.match(out, /thing 1\.0\.0 is published with other bytes/);
  });

  test('a crate is not published if the sources give other bytes than were built', (t) => {
    const { status, out, published } = publish(t, 'thing-1.0.0.crate', cargo(MISSING, 'others'));
    assert.equal(status, 1);
    assert.match(out, /the crate that these sources give is not/);
    assert.deepEqual(published, []);
  });

  test('a registry that does not respond is not a version that is not published', (t) => {
    const crate = publish(t, 'thing-1.0.0.crate', cargo("echo 'error: network' >&2; exit 101"));
    assert.equal(crate.status, 1);
    assert.match(crate.out, /cargo can't say whether thing 1\.0\.0 is published/);
    const npm = publish(t, 'thing-1.0.0.tgz', 'echo "npm error code ETIMEDOUT" >&2; exit 1');
    assert.equal(npm.status, 1);
    assert.match(npm.out, /npm can't say whether thing 1\.0\.0 is published/);
  });

  const npm = (view, version = '11.6.2') => `case $1 in view) ${view};; --version) echo ${version};; esac\nexit 0`;
  const NOT_FOUND = 'echo "npm error code E404" >&2; exit 1';

  test('a new package is published with provenance, and without running its scripts', (t) => {
    const { status, out, published } = publish(t, 'thing-1.0.0.tgz', npm(NOT_FOUND));
    assert.equal(status, 0, out);
    assert.deepEqual(published, [
      'npm publish /thing-1.0.0.tgz --provenance --access public --ignore-scripts --tag latest',
    ]);
  });

  test('a version before a release does not become the latest', (t) => {
    const { published } = publish(t, 'thing-1.0.0-rc.1.tgz', npm(NOT_FOUND));
    assert.match(published[0], /--tag next$/);
  });

  test('a package that is published with the same bytes is left alone, with others it fails', (t) => {
    const integrity = (of) => npm(`echo '"sha512-${digest('sha512', 'base64', of)}"'`);
    const same = publish(t, 'thing-1.0.0.tgz', integrity(bytes));
    assert.equal(same.status, 0, same.out);
    assert.deepEqual(same.published, []);
    const other = publish(t, 'thing-1.0.0.tgz', integrity('others'));
    assert.equal(other.status, 1);
    assert.match(other.out, /published with other bytes/);
  });

  test('an npm that would need a stored token is refused', (t) => {
    for (const version of ['10.9.9', '11.4.2', '11.5.0']) {
      const { status, out, published } = publish(t, 'thing-1.0.0.tgz', npm(NOT_FOUND, version));
      assert.equal(status, 1);
      assert.match(out, /needs 11\.5\.1 or later/);
      assert.deepEqual(published, []);
    }
    assert.equal(publish(t, 'thing-1.0.0.tgz', npm(NOT_FOUND, '12.0.0')).status, 0);
  });
});
