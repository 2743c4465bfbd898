// Encrypts for a key pair of HPKE (RFC 9180), in a browser and in Node.js, with npm
// @hpke/core and @hpke/hybridkem-x-wing.
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { XWing } from '@hpke/hybridkem-x-wing';

const kems = { 'HPKE-X25519': DhkemX25519HkdfSha256, 'HPKE-XWING': XWing };
const utf8 = new TextEncoder();

/** key is the answer of generateClientEncryptionKey, operation is the field that takes the result. */
export async function encrypt(secret, key, operation, passwordAuthType) {
  const suite = new CipherSuite({ kem: new kems[key.algorithm](), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
  const bytes = Uint8Array.from(atob(key.publicKeyBytes), (c) => c.charCodeAt(0));
  const sender = await suite.createSenderContext({
    recipientPublicKey: await suite.kem.deserializePublicKey(bytes),
    info: utf8.encode('strongroom hpke v1'),
  });
  const aad = utf8.encode(`${operation}\n${key.keyId}\n${passwordAuthType}`);
  const ciphertext = await sender.seal(utf8.encode(secret), aad);
  return btoa(String.fromCharCode(...new Uint8Array(sender.enc), ...new Uint8Array(ciphertext)));
}
