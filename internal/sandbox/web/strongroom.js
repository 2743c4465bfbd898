// The client: everything that an app needs, without anything of this page.
const utf8 = new TextEncoder();

/** Imports the PEM of the service for RSA-OAEP with SHA-256. */
export async function importKey(pem) {
  const spki = Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, '')), (c) => c.charCodeAt(0));
  return crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
}

/**
 * Encrypts a secret and returns base64. The label binds the ciphertext to its
 * purpose: 'strongroom/set', 'strongroom/verify', 'strongroom/authorize' or 'strongroom/current'.
 */
export async function encrypt(key, secret, label) {
  return base64(await crypto.subtle.encrypt({ name: 'RSA-OAEP', label: utf8.encode(label) }, key, utf8.encode(secret)));
}

/** The canonical form (RFC 8785) of an object whose values are strings. */
export const canonical = (object) => JSON.stringify(Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))));

/** SHA-256 of a text, as base64url without padding. */
export async function digest(text) {
  return base64(await crypto.subtle.digest('SHA-256', utf8.encode(text))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Encrypts a PIN together with the hash of the transaction that it authorizes. */
export const authorize = (key, pin, txn) => encrypt(key, JSON.stringify({ pin, txn }), 'strongroom/authorize');

export function base64(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** Why this browser cannot be a client, or ''. */
export function unable() {
  return globalThis.crypto?.subtle ? '' : 'Browsers encrypt on https and on localhost only, and this page is neither. '
    + 'Open it as http://localhost with the same port, or give the service a certificate (--tls-cert).';
}

/** The headers that name the caller, from the fields of the page. */
export function callerHeaders() {
  const headers = {};
  const token = document.getElementById('token')?.value.trim();
  const account = document.getElementById('account');
  if (token) headers.Authorization = `Bearer ${token}`;
  if (account?.value) headers[account.dataset.header] = account.value;
  return headers;
}

/** Posts JSON. It never throws: it returns what can be shown. */
export const post = (path, body, headers = {}) => send('POST', path, body, headers);

/** A header's value in UTF-8: fetch takes one character for each byte, and fails with others. */
const headerText = (value) => String.fromCharCode(...utf8.encode(value));

/** Sends a request, with a body of JSON unless it is undefined. */
export async function send(method, path, body, given = {}) {
  const exchange = { method, sent: body, status: 0, answer: null, requestId: '', took: 0 };
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, headerText(value)]));
  const start = performance.now();
  try {
    const response = await fetch(path, {
      method, headers: body ? { 'Content-Type': 'application/json', ...headers } : headers, body: JSON.stringify(body),
      credentials: 'same-origin', cache: 'no-store', referrerPolicy: 'no-referrer',
    });
    exchange.status = response.status;
    exchange.requestId = response.headers.get('X-Request-Id') ?? '';
    exchange.answer = await response.json();
  } catch (e) {
    exchange.failure = exchange.status ? 'The answer is no JSON: something other than the service gave it.' : 'The service cannot be reached.';
  }
  exchange.took = performance.now() - start;
  return exchange;
}

/** Calls one operation. The exchange gets its value, and its error's code. */
export async function call(name, query, variables) {
  const exchange = await post('/graphql', { query, variables }, callerHeaders());
  const error = exchange.answer?.errors?.[0];
  return { ...exchange, name, value: exchange.answer?.data?.[name] ?? null, error, code: error?.extensions?.code ?? '' };
}

const keyFields = 'keyId publicKey keySize';

/** The operations, as a client writes them. */
export const operations = {
  generateClientEncryptionKey: keys('generateClientEncryptionKey'),
  rotateClientEncryptionKey: keys('rotateClientEncryptionKey'),
  encryptDataLikeClient: `mutation ($input: EncryptDataPayload!) {
  encryptDataLikeClient(input: $input) {
    encryptedData
  }
}`,
  setUserPasscode: secrets('setUserPasscode', 'EncryptedPasscodeInput'),
  verifyUserPasscode: secrets('verifyUserPasscode', 'EncryptedVerifyPasscodeInput'),
  setTransactionPin: secrets('setTransactionPin', 'EncryptedTransactionPinInput'),
  verifyTransactionPin: secrets('verifyTransactionPin', 'EncryptedVerifyTransactionPinInput'),
  authorizeTransaction: `mutation ($input: TransactionAuthorizationInput!) {
  authorizeTransaction(input: $input) {
    authorized
    receipt
    expiresAt
  }
}`,
  getEncryptionMetricsSummary: `query ($hours: Float) {
  getEncryptionMetricsSummary(timeframeHours: $hours)
}`,
};

function keys(name) {
  return `mutation ($input: ClientIdentityInput!) {
  ${name}(input: $input) {
    ${keyFields.split(' ').join('\n    ')}
  }
}`;
}

function secrets(name, input) {
  return `mutation ($input: ${input}!) {
  ${name}(input: $input)
}`;
}
