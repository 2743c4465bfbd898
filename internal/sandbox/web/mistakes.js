// Makes the mistakes that the doctor knows, so that each can be tried. None of this
// belongs in an app.
import { base64, call, operations } from './strongroom.js';

const text = new TextEncoder();
const concat = (...parts) => {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  parts.reduce((at, p) => (out.set(p, at), at + p.length), 0);
  return out;
};
const hash = async (name, bytes) => new Uint8Array(await crypto.subtle.digest(name, bytes));
const size = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-512': 64 };

/** The numbers of a PEM: modulus and public exponent. */
async function numbers(pem) {
  const der = Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, '')), (c) => c.charCodeAt(0));
  const key = await crypto.subtle.importKey('spki', der, { name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['encrypt']);
  const jwk = await crypto.subtle.exportKey('jwk', key);
  const n = bytesOf(jwk.n);
  return { n: big(n), e: big(bytesOf(jwk.e)), size: n.length };
}
const bytesOf = (base64url) => Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
const big = (bytes) => BigInt(`0x${hex(bytes)}`);

/** m to the power of e: RSA without padding. */
function power(key, em) {
  let [m, e, result] = [big(em), key.e, 1n];
  for (; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * m) % key.n;
    m = (m * m) % key.n;
  }
  const digits = result.toString(16).padStart(2 * key.size, '0');
  return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}

async function mask(seed, length, name) {
  let out = new Uint8Array();
  for (let counter = 0; out.length < length; counter += 1) {
    out = concat(out, await hash(name, concat(seed, Uint8Array.of(0, 0, 0, counter))));
  }
  return out.slice(0, length);
}
const xor = (a, b) => a.map((byte, i) => byte ^ b[i]);

/** OAEP (RFC 8017) with any hashes and label. */
async function oaep(key, message, name = 'SHA-256', mgf = name, label = key.label) {
  const h = size[name];
  const data = concat(await hash(name, text.encode(label)), new Uint8Array(key.size - message.length - 2 * h - 2), Uint8Array.of(1), message);
  const seed = crypto.getRandomValues(new Uint8Array(h));
  const masked = xor(data, await mask(seed, data.length, mgf));
  return power(key, concat(Uint8Array.of(0), xor(seed, await mask(masked, h, mgf)), masked));
}

function pkcs1(key, message) {
  const padding = crypto.getRandomValues(new Uint8Array(key.size - message.length - 3)).map((b) => b || 1);
  return power(key, concat(Uint8Array.of(0, 2), padding, Uint8Array.of(0), message));
}

/** Repeats OAEP until wanted accepts the ciphertext, because some look right by chance. */
async function until(key, message, wanted) {
  for (;;) {
    const c = await oaep(key, message);
    if (wanted(base64(c))) return c;
  }
}

const pin = text.encode('493817');
const secret = (value) => async (key) => base64(await oaep(key, text.encode(value)));

const listed = ([code, name, make, operation]) => ({ code, name, make, operation });

/** Each mistake: its code, its name, how it is made, and the operation that it needs. */
const mistakes = [
  ['FINE', 'None: everything is correct', secret('493817')],
  ['SHA1', 'SHA-1 instead of SHA-256', async (key) => base64(await oaep(key, pin, 'SHA-1'))],
  ['MGF1', 'MGF1 with SHA-1 (the JDK’s default)', async (key) => base64(await oaep(key, pin, 'SHA-256', 'SHA-1'))],
  ['OTHER_HASH', 'SHA-512', async (key) => base64(await oaep(key, pin, 'SHA-512'))],
  ['LABEL', 'A label of your own', async (key) => base64(await oaep(key, pin, 'SHA-256', 'SHA-256', 'my app'))],
  ['OTHER_LABEL', 'The label of another purpose', async (key) => base64(await oaep(key, pin, 'SHA-256', 'SHA-256', 'strongroom/set')), 'verifyTransactionPin'],
  ['PKCS1_V15', 'PKCS #1 v1.5', async (key) => base64(pkcs1(key, pin))],
  ['RAW_RSA', 'RSA without padding', async (key) => base64(power(key, pin))],
  ['OTHER_KEY', 'Another sandbox key', async (key, other) => base64(await oaep(other, pin))],
  ['UNDECRYPTABLE', 'A changed byte', async (key) => { const c = await oaep(key, pin); c[c.length - 1] ^= 1; return base64(c); }],
  ['BYTE_ORDER', 'Bytes in reverse (Windows CryptoAPI)', async (key) => base64((await oaep(key, pin)).reverse())],
  ['TRUNCATED', 'Cut off after 255 characters', async (key) => base64(await oaep(key, pin)).slice(0, 255)],
  ['LEADING_ZERO', 'A zero byte in front (BigInteger)', async (key) => base64(concat(Uint8Array.of(0), await oaep(key, pin)))],
  ['HYBRID', 'A hybrid format (iOS …AESGCM)', async (key) => base64(concat(await oaep(key, pin), crypto.getRandomValues(new Uint8Array(22))))],
  ['DOUBLE_BASE64', 'Base64 twice', async (key) => btoa(base64(await oaep(key, pin)))],
  ['HEX', 'Hexadecimal', async (key) => hex(await oaep(key, pin))],
  ['BASE64_OF_HEX', 'Hexadecimal inside base64', async (key) => btoa(hex(await oaep(key, pin)))],
  ['PLUS_TO_SPACE', '+ became a space', async (key) => base64(await until(key, pin, (b) => /\+/.test(b.slice(1, -1)))).replaceAll('+', ' ')],
  ['URL_ENCODED', 'URL-encoded', async (key) => encodeURIComponent(base64(await until(key, pin, (b) => /[+/]/.test(b))))],
  ['QUOTED_CIPHERTEXT', 'Quotes around the ciphertext', async (key) => JSON.stringify(base64(await oaep(key, pin)))],
  ['JSON_AROUND', 'The whole request', async (key) => JSON.stringify({ input: { encryptedPin: base64(await oaep(key, pin)) } })],
  ['PLAINTEXT', 'Not encrypted at all', async () => '493817'],
  ['QUOTED_SECRET', 'Quotes inside the secret', secret('"493817"')],
  ['TRAILING_NEWLINE', 'A line end after the secret', secret('493817\n')],
  ['SPACE_AROUND', 'A space before the secret', secret(' 493817')],
  ['JSON_SECRET', 'JSON inside the secret', secret('{"pin":"493817"}')],
  ['UTF16', 'UTF-16 instead of UTF-8', secret('4\u00009\u00003\u00008\u00001\u00007\u0000')],
  ['BASE64_SECRET', 'The secret as base64, then encrypted', secret('NDkzODE3')],
  ['HASHED_SECRET', 'A hash instead of the secret', async (key) => secret(hex(await hash('SHA-256', pin)))(key)],
].map(listed);

/**
 * An HPKE ciphertext from the service's test helper, because browsers have no HPKE.
 * It is for verifyTransactionPin, unless wanted says otherwise.
 */
async function helped(key, wanted = {}) {
  const input = { publicKey: key.publicKey, keyId: key.keyId, body: '493817', operation: 'verifyTransactionPin', passwordAuthType: 'TRANSACTION_PIN', ...wanted };
  const x = await call('encryptDataLikeClient', operations.encryptDataLikeClient, { input });
  if (!x.value) throw new Error(x.error?.message ?? x.failure ?? `Status ${x.status}`);
  return x.value.encryptedData;
}
const enc = { 'HPKE-X25519': 32, 'HPKE-XWING': 1120 }; // bytes of enc
const changed = (bytes, at) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));

/** The same for HPKE. */
const hpkeMistakes = [
  ['FINE', 'None: everything is correct', (key) => helped(key)],
  ['AAD_OPERATION', 'For another operation', (key) => helped(key, { operation: 'setTransactionPin' }), 'verifyTransactionPin'],
  ['AAD_TYPE', 'PASSCODE in the AAD instead of TRANSACTION_PIN', (key) => helped(key, { passwordAuthType: 'PASSCODE' })],
  ['OTHER_KEY', 'Another sandbox key', (key, other) => helped(other, { keyId: key.keyId })],
  ['ENC_LAST', 'enc after the ciphertext', async (key) => { const c = bytesOf(await helped(key)); return base64(concat(c.slice(enc[key.algorithm]), c.slice(0, enc[key.algorithm]))); }],
  ['UNDECRYPTABLE', 'A changed byte', async (key) => { const c = bytesOf(await helped(key)); return base64(changed(c, c.length - 1)); }],
  ['HEX', 'Hexadecimal', async (key) => hex(bytesOf(await helped(key)))],
  ['DOUBLE_BASE64', 'Base64 twice', async (key) => btoa(await helped(key))],
  ['PLAINTEXT', 'Not encrypted at all', async () => '493817'],
  ['QUOTED_SECRET', 'Quotes inside the secret', (key) => helped(key, { body: '"493817"' })],
  ['TRAILING_NEWLINE', 'A line end after the secret', (key) => helped(key, { body: '493817\n' })],
].map(listed);

/** The mistakes that can be made with a key. */
export const mistakesOf = (key) => (key?.publicKeyBytes ? hpkeMistakes : mistakes);

/** The label of an operation; '' is any operation. */
export function labelOf(operation) {
  const purpose = operation.endsWith('/current') ? 'current' : operation.match(/^(set|authorize)/)?.[0] ?? 'verify';
  return `strongroom/${purpose}`;
}

/**
 * The ciphertext of a mistake, with a key and, for some mistakes, another key. With RSA
 * it has the label, unless the mistake is about labels.
 */
export async function commit(mistake, key, other, label) {
  if (key.publicKeyBytes) return mistake.make(key, other);
  const labelled = async (k) => ({ ...await numbers(k.publicKey), label });
  return mistake.make(await labelled(key), other && await labelled(other));
}
