/** Makes certificates for TLS servers of the tests, so that none has to be stored and renewed. */
import { generateKeyPairSync, sign } from 'node:crypto';

const DAY = 86_400_000;
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const BASIC_CONSTRAINTS = '2.5.29.19';
const SUBJECT_ALT_NAME = '2.5.29.17';

/**
 * Creates an authority; `issue` returns a certificate that it has signed, and its key, both as PEM. `itself` is the
 * authority's own, for a server whose certificate nobody has signed.
 */
export function certificateAuthority(name = 'Authority of the tests') {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const constraints = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.of(0xff))));
  const cert = certificate({ subject: name, issuer: name, key: own.publicKey, signedBy: own.privateKey, constraints });
  return {
    certificate: cert,
    itself: { cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) },
    issue({ hosts = ['localhost', '127.0.0.1'], days = [-1, 365] } = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const names = extension(SUBJECT_ALT_NAME, sequence(...hosts.map(generalName)));
      const signed = { subject: 'Server of the tests', issuer: name, key: publicKey, signedBy: own.privateKey };
      return {
        cert: certificate({ ...signed, constraints: names, days }),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      };
    },
  };
}

let serialNumber = 1;

/** Returns an X.509 certificate as PEM (RFC 5280, 4.1). `days` are from now: the first and the last on which it is valid. */
function certificate({ subject, issuer, key, signedBy, constraints, days = [-1, 365] }) {
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const toSign = sequence(
    der(0xa0, integer(2)),
    integer(serialNumber++),
    algorithm,
    distinguishedName(issuer),
    sequence(...days.map((each) => time(new Date(Date.now() + each * DAY)))),
    distinguishedName(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(constraints)),
  );
  const signature = sign('sha256', toSign, signedBy);
  const whole = sequence(toSign, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName) {
  return sequence(der(0x31, sequence(objectId(COMMON_NAME), der(0x0c, Buffer.from(commonName)))));
}

function extension(id, value) {
  return sequence(objectId(id), der(0x04, value));
}

function generalName(host) {
  const bytes = host.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? der(0x87, Buffer.from(bytes)) : der(0x82, Buffer.from(host));
}

function time(date) {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));
}

// ---------------------------------------------------------------- DER

function der(tag, content) {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts) {
  return der(0x30, Buffer.concat(parts));
}

function integer(value) {
  return der(0x02, Buffer.of(value));
}

function objectId(dotted) {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value) {
  const digits = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}
