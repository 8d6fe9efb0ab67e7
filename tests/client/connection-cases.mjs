/** The client's errors about failing servers, in every runtime. */
import assert from 'node:assert/strict';
import { execute, ENVIRONMENT } from '../everywhere/execute.mjs';
import { withFailingServers } from './failing-servers.mjs';

/** Failures after which nothing was sent: with the codes of Node, which Bun shares. */
const NOT_SENT = {
  refused: 'connection refused (ECONNREFUSED)',
  unknownHost: 'host not found (ENOTFOUND)',
  badPort: 'fetch does not connect to this port',
  selfSigned: 'certificate not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
  untrusted: 'certificate not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  expired: 'certificate expired (CERT_HAS_EXPIRED)',
  notYetValid: 'certificate not valid yet (CERT_NOT_YET_VALID)',
  otherHost: 'certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
  plainHttp: 'the server does not speak TLS (ERR_SSL_WRONG_VERSION_NUMBER)',
  closedInHandshake: 'connection lost before the request was sent (ECONNRESET)',
  resetInHandshake: 'connection lost before the request was sent (ECONNRESET)',
  alertInHandshake: 'TLS handshake failed (ERR_SSL_ALERT)',
};
/** Failures after which the service may have received the order. */
const SENT = [
  'resetAfterRequest',
  'closedAfterRequest',
  'resetAfterRequestInTls',
  'closedAfterRequestInTls',
  'alertAfterRequest',
  'plainTextAfterRequest',
  'certificateForClientsRequired',
  'goneAfterRequest',
];
/** Bun has the same codes for these and for what happens after the request. */
const UNCERTAIN_ON_BUN = ['plainHttp', 'closedInHandshake', 'resetInHandshake', 'alertInHandshake'];

/**
 * Runs tests/everywhere/programs/connections.mjs in a project by the command, and checks what it reports.
 *
 * @param {string[]} command
 * @param {string} folder
 */
export async function checkConnections([program = '', ...args], folder, { codes = true, isBun = false } = {}) {
  await withFailingServers(async ({ cases, certificates }) => {
    // Deno has a variable of its own for the authority.
    const env = { ...ENVIRONMENT, NODE_EXTRA_CA_CERTS: certificates, DENO_CERT: certificates };
    const { stdout } = await execute(program, [...args, JSON.stringify(cases)], { cwd: folder, env });
    const { endsAtClose, endsAtLength, endsAtChunk, ...failures } = JSON.parse(stdout);
    for (const [name, failure] of Object.entries(NOT_SENT)) {
      if (isBun && UNCERTAIN_ON_BUN.includes(name)) {
        assert.deepEqual([failures[name].outcome, failures[name].isSent], ['unknown', true], name);
        continue;
      }
      const { outcome, isSent, message, ...shown } = failures[name];
      // Without a resolver, the code is that of a temporary failure; that of an alert depends on the version of OpenSSL.
      const text = shown.failure
        .replace('EAI_AGAIN', 'ENOTFOUND')
        .replace(/ERR_SSL_\S*ALERT\S*(?=\))/, 'ERR_SSL_ALERT');
      const expected = codes ? failure : failure.replace(/ \(.*/, '');
      // Bun connects to any port.
      assert.equal(text, isBun && name === 'badPort' ? NOT_SENT.refused : expected, name);
      assert.deepEqual([shown.name, outcome, isSent], ['ConnectionError', 'not-created', false], name);
      const host = new URL(cases[name].url).host;
      assert.equal(
        message,
        `The connection to ${host} failed: ${shown.failure}; PUT URL, 1 attempt. The order was not created.`,
      );
    }
    for (const name of SENT) {
      const { outcome, isSent, failure } = failures[name];
      assert.deepEqual([outcome, isSent], ['unknown', true], name);
      assert.match(failure, /^(connection lost|connection failed|TLS failed)( \([A-Z_]+\))?$/, name);
    }
    assert.deepEqual(Object.keys(failures).sort(), [...Object.keys(NOT_SENT), ...SENT].sort());
    assert.deepEqual([endsAtLength, endsAtChunk], [{ created: 201 }, { created: 201 }]);
    assert.deepEqual([endsAtClose.name, endsAtClose.outcome], ['UnexpectedResponseError', 'unknown']);
    assert.match(endsAtClose.message, /^The service responded with 201 and an empty body that may have been cut off/);
  });
}
