// A payment: the user authorizes it with the PIN, and the bank's backend gets a
// receipt that names it and works once.
import { authorize, callerHeaders, canonical, digest, encrypt, importKey, post, send } from './strongroom.js';
import { $, Refused, ask, code, fresh, must, outcome, preview, show, tell } from './story.js';
import { el } from './ui.js';

const { mode } = document.body.dataset;
const deviceId = fresh('sandbox-phone');
const id = fresh('payment');
let pair = null;
let receipt = '';

const payment = () => ({ amount: $('amount').value, currency: 'EUR', id, to: $('to').value });

/** What a request of authorizeTransaction has: ciphertext and transaction, which belong together. */
async function authorization(transaction, encrypted = transaction) {
  const txn = await digest(canonical(encrypted));
  const encryptedAuthorization = await authorize(await importKey(pair.publicKey), $('pin').value, txn);
  return { input: { encryptedAuthorization, keyId: pair.keyId, passwordAuthType: 'TRANSACTION_PIN', transaction: canonical(transaction) } };
}

const part = (jws, n) => JSON.parse(new TextDecoder().decode(bytes(jws.split('.')[n])));
const bytes = (base64url) => Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

/** Whether the ES256 signature (RFC 7515) is by one of the service's keys. */
async function genuine(jws, keys) {
  const [header, claims, signature] = jws.split('.');
  const jwk = keys.find((k) => k.kid === part(jws, 0).kid);
  if (!jwk) return false;
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, key, bytes(signature), new TextEncoder().encode(`${header}.${claims}`));
}

const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB');
const meanings = {
  iss: () => 'the service that signed it', aud: () => 'the backend that it is for', sub: () => 'the account', device: () => 'the device',
  sub_iss: () => 'the provider that names the account',
  keyId: () => 'the key that the ciphertext was encrypted with', jti: () => 'its own id, which is redeemed once',
  iat: (v) => `signed at ${time(v)}`, exp: (v) => `valid until ${time(v)}`, txn_hash: () => 'SHA-256 of the canonical payment',
  amr: () => 'what the user proved (RFC 8176)', passwordAuthType: () => 'which secret it was', cnf: () => 'the key that the device proved',
  mustChange: () => 'the user must change this secret first',
};

function claimsTable(claims) {
  return el('table', { class: 'claims' },
    el('caption', { class: 'visually-hidden' }, 'The claims of the receipt'),
    el('thead', {}, el('tr', {}, ['Claim', 'Value and meaning'].map((t) => el('th', { scope: 'col' }, t)))),
    el('tbody', {}, Object.entries(claims).map(([name, value]) => el('tr', {},
      el('th', { scope: 'row' }, code(name)), el('td', {}, code(typeof value === 'string' ? value : JSON.stringify(value)), el('span', { class: 'meaning' }, meanings[name]?.(value) ?? ''))))));
}

const steps = {
  async prepare(step) {
    pair = (await must(step, 'generateClientEncryptionKey', { input: { deviceId } })).value;
    const encryptedPin = await encrypt(await importKey(pair.publicKey), $('pin').value, 'strongroom/set');
    const x = await must(step, 'setTransactionPin', { input: { encryptedPin, keyId: pair.keyId, passwordAuthType: 'TRANSACTION_PIN' } });
    if (!x.value) {
      outcome(step, 'warn', `Refused by the policy: ${x.answer.extensions?.rejection?.rule ?? 'unknown'}`, 'Nothing was stored. Choose another PIN.');
      return false;
    }
    return outcome(step, 'good', 'The PIN is set');
  },

  async pay(step) {
    const transaction = payment();
    const x = await must(step, 'authorizeTransaction', await authorization(transaction));
    if (!x.value.authorized) {
      outcome(step, 'warn', 'Not authorized: another PIN is set', 'The attempt was counted, as by verifyTransactionPin. There is no receipt.');
      return false;
    }
    receipt = x.value.receipt;
    return outcome(step, 'good', `${transaction.amount} EUR to ${transaction.to}: authorized`,
      el('span', {}, 'This tab encrypted the PIN together with the hash ', code(await digest(canonical(transaction))), ' of the payment.'),
      'The service computed the hash of the payment that it received, found both equal, and then verified the PIN.',
      'The receipt was signed after the verdict was stored, together with an entry of the audit trail.');
  },

  async claims(step) {
    const x = await send('GET', '/.well-known/jwks.json');
    show(step, x, '/.well-known/jwks.json');
    if (!x.answer?.keys) throw new Refused(x);
    const right = await genuine(receipt, x.answer.keys);
    outcome(step, right ? 'good' : 'bad', right ? 'Signed by this service' : 'Not signed by this service',
      el('span', {}, 'The header is ', code(JSON.stringify(part(receipt, 0))), '.'),
      'This tab compared the signature with the public signing keys. Any JOSE library does the same, without a call to the service for each receipt.');
    step.querySelector('.outcome').append(claimsTable(part(receipt, 1)));
    return right;
  },

  async swap(step) {
    const shown = payment();
    const x = await ask(step, 'authorizeTransaction', await authorization({ ...shown, to: 'MALLORY' }, shown), 'authorizeTransaction, changed on its way');
    const held = x.code === 'TRANSACTION_MISMATCH';
    if (!held && !x.value) throw new Refused(x);
    outcome(step, held ? 'good' : 'bad', held ? 'Refused: TRANSACTION_MISMATCH' : 'Accepted: this must not happen',
      held && 'The hash inside the ciphertext is that of the payment that the user saw. The PIN was not compared, and no attempt was counted.');
    return held;
  },

  async redeem(step) {
    const token = $('backend').value.trim();
    if (!token && mode !== 'gateway') {
      outcome(step, 'warn', 'Not redeemed: a token is missing', 'Fill in the token of a backend, and run this step again. The receipt is valid for two minutes unless the service sets another time.');
      return true;
    }
    const headers = token ? { Authorization: `Bearer ${token}` } : callerHeaders();
    const first = await post('/api/receipts/redeem', { receipt }, headers);
    show(step, first, '/api/receipts/redeem');
    if (first.status !== 200) throw new Refused(first);
    const second = await post('/api/receipts/redeem', { receipt }, headers);
    show(step, second, 'the same once more');
    const same = first.answer.txn_hash === await digest(canonical(payment()));
    outcome(step, same && second.status === 409 ? 'good' : 'bad', same ? 'Redeemed: the backend can execute the payment' : 'Redeemed, for another payment',
      same ? el('span', {}, code('txn_hash'), ' is the hash of the payment that the backend stored.') : 'The payment was changed on this page since it was authorized.',
      second.status === 409 && 'The second redemption got 409: a receipt works once, on all instances together.');
    return same && second.status === 409;
  },
};

preview($('prepare'), 'setTransactionPin');
preview($('pay'), 'authorizeTransaction', { input: { encryptedAuthorization: '…', keyId: '…', passwordAuthType: 'TRANSACTION_PIN', transaction: canonical(payment()) } });
tell(steps, (step) => step === 'prepare' || (pair && (['pay', 'swap'].includes(step) || receipt)));
