// The story: seven steps of a client. Each shows the request, the answer, and what it
// meant on the server.
import { encrypt, importKey } from './strongroom.js';
import { $, Refused, ask, code, duration, fresh, must, outcome, preview, tell } from './story.js';
import { el } from './ui.js';

const most = Number(document.body.dataset.attempts);
// wrong counts the wrong guesses in a row for each kind, as the service does.
const unknown = () => ({ pair: null, key: null, secret: '', kind: '', wrong: { TRANSACTION_PIN: 0, PASSCODE: 0 } });
let client = unknown();

const kinds = {
  TRANSACTION_PIN: { set: 'setTransactionPin', verify: 'verifyTransactionPin', field: 'encryptedPin', name: 'PIN', guess: '000000' },
  PASSCODE: { set: 'setUserPasscode', verify: 'verifyUserPasscode', field: 'encryptedPasscode', name: 'passcode', guess: 'wrong guess' },
};
const kind = () => document.querySelector('input[name=kind]:checked').value;

/** The device that requests a key, which is always the same, and its version. */
function identity() {
  const input = { deviceId: $('deviceId').value };
  if ($('appVersion').value) input.appVersion = $('appVersion').value;
  return { input };
}

async function adopt(pair) {
  client.pair = pair;
  client.key = await importKey(pair.publicKey);
}

async function submit(step, operation, secret, { pair = client.pair, key = client.key, title } = {}) {
  const { field } = kinds[client.kind];
  const ciphertext = await encrypt(key, secret, operation.startsWith('set') ? 'strongroom/set' : 'strongroom/verify');
  const exchange = await ask(step, operation, { input: { [field]: ciphertext, keyId: pair.keyId, passwordAuthType: client.kind } }, title);
  return { ...exchange, ciphertext };
}

const verify = (step, secret, options) => submit(step, kinds[client.kind].verify, secret, options);

const wrong = () => client.wrong[client.kind || kind()];
const count = (right) => { client.wrong[client.kind] = right ? 0 : wrong() % most + 1; }; // after a lock the count starts again

/** Only true and false are verdicts. A lock ends the count. */
function verdict(x) {
  if (x.code === 'CREDENTIAL_LOCKED') client.wrong[client.kind] = most;
  if (x.value === null && x.code !== 'CREDENTIAL_LOCKED') throw new Refused(x);
  return x;
}

const steps = {
  async issue(step) {
    const before = client.pair?.keyId;
    const x = await must(step, 'generateClientEncryptionKey', identity());
    await adopt(x.value);
    const same = before === x.value.keyId;
    outcome(step, 'good', same ? 'The same key again' : `A key of ${x.value.keySize} bits`,
      same ? 'The device has a valid key, so that one was returned, and no new pair was made.'
        : 'The device got a valid key: if it had none before, a new RSA pair was taken from those kept ready.',
      'The private half is stored sealed, under a key that is not in the database. It never leaves the server.',
      el('span', {}, 'This tab imported the PEM into WebCrypto as ', code('RSA-OAEP'), ' with ', code('SHA-256'), '.'));
  },

  async set(step) {
    client.kind = kind();
    client.secret = $('secret').value;
    const { set, name } = kinds[client.kind];
    const x = await submit(step, set, client.secret);
    if (x.value === null) throw new Refused(x);
    const bytes = new TextEncoder().encode(client.secret).length;
    const inTab = `In this tab ${bytes} bytes became a ciphertext of ${client.pair.keySize / 8} bytes, ${x.ciphertext.length} characters of base64.`;
    if (x.value === false) {
      const rule = x.answer.extensions?.rejection?.rule ?? 'unknown';
      outcome(step, 'warn', `Refused by the policy: ${rule}`, inTab, 'It was decrypted, and the policy forbids it. Nothing was stored. The answer names the rule, never the value.');
      return false;
    }
    outcome(step, 'good', `The ${name} is set`, inTab,
      'The vault decrypted it in memory and hashed it with Argon2id, under a fresh salt.',
      'The hash was sealed and bound to this account, then stored together with an entry of the audit trail. The plain text was wiped.');
  },

  async verify(step) {
    const x = verdict(await verify(step, client.secret));
    if (x.code) throw new Refused(x);
    count(x.value);
    outcome(step, x.value ? 'good' : 'warn', x.value ? 'true: it matches' : 'false: it does not match',
      'Before the comparison, the service reserved an attempt on disk. So neither a crash nor a thousand parallel requests give an extra guess.',
      x.value ? 'The count of failed attempts in a row is zero again.' : 'The failed attempt was counted.');
  },

  async wrong(step) {
    const x = verdict(await verify(step, $('guess').value));
    if (x.code) throw new Refused(x);
    count(x.value);
    if (x.value) return outcome(step, 'warn', 'true: the guess was correct');
    outcome(step, 'warn', 'false, and counted',
      `By this page's count that is ${wrong()} of ${most} in a row.`,
      'A wrong secret and an account without one get the same answer after the same work. So the answer does not tell a guesser which accounts have a secret.');
  },

  async lock(step) {
    let x;
    const guess = $('guess').value === client.secret ? `${client.secret}0` : $('guess').value;
    for (let n = 0; n <= most; n += 1) {
      x = verdict(await verify(step, guess, { title: 'a wrong guess' }));
      if (x.code) break;
      count(x.value);
      tries(step);
      if (wrong() >= most) break;
    }
    x = verdict(await verify(step, client.secret, { title: `the correct ${kinds[client.kind].name}` }));
    if (!x.code) {
      count(x.value);
      return outcome(step, 'warn', 'Not locked yet', 'This service allows more guesses than this page thought.');
    }
    const { retryAfterSeconds, permanent } = x.error.extensions;
    outcome(step, 'bad', permanent ? 'Locked for good' : `Locked for ${duration(retryAfterSeconds)}`,
      `The correct ${kinds[client.kind].name} was refused too: during a lock nothing is compared.`,
      permanent ? 'Only an operator can end this: strongroom admin unlock.'
        : el('span', {}, code('retryAfterSeconds'), ` is ${retryAfterSeconds}: tell the user when to come back, and do not try before.`),
      'The lock is a row in the database. A restart, another instance or a new key does not end it, and setting a new secret does not either.');
  },

  async rotate(step) {
    const old = { pair: client.pair, key: client.key };
    const { value } = await must(step, 'rotateClientEncryptionKey', identity());
    await adopt(value);
    const withOld = await verify(step, client.secret, { ...old, title: 'with the old key' });
    if (withOld.code !== 'KEY_NOT_USABLE') verdict(withOld);
    const withNew = verdict(await verify(step, client.secret, { title: 'with the new key' }));
    outcome(step, withOld.code === 'KEY_NOT_USABLE' ? 'good' : 'warn', withOld.code === 'KEY_NOT_USABLE' ? 'The old key is dead' : 'The old key still verifies',
      withOld.code === 'KEY_NOT_USABLE' ? el('span', {}, 'What was encrypted under the old key is refused with ', code('KEY_NOT_USABLE'), '. Its private half was erased in the same transaction.')
        : 'This service gives old keys some time (--rotation-grace), for verify only.',
      withNew.code === 'CREDENTIAL_LOCKED' ? 'Under the new key the ciphertext opens, and the lock still stands.'
        : withNew.value === true ? `Under the new key the ${kinds[client.kind].name} matches: it did not change.` : '',
      el('span', {}, 'A client that meets ', code('KEY_NOT_USABLE'), ' asks for the key again, encrypts again, and sends that, once.'));
  },

  async metrics(step) {
    const hours = $('hours').value.trim();
    const x = await must(step, 'getEncryptionMetricsSummary', { hours: hours === '' ? null : Number.isFinite(Number(hours)) ? Number(hours) : hours });
    const sum = JSON.parse(x.value);
    outcome(step, 'good', `The last ${sum.timeframeHours} hours`);
    const shown = { totalOperations: 'operations', successfulOperations: 'successful', failedOperations: 'failed', successRate: 'success rate', averageDuration: 'average', uniqueDevices: 'devices' };
    const units = { successRate: ' %', averageDuration: ' ms' };
    step.querySelector('.outcome').append(el('dl', { class: 'tiles' }, Object.entries(shown).map(([name, text]) =>
      el('div', {}, el('dt', {}, text), el('dd', {}, `${Number(sum[name].toFixed(1)).toLocaleString('en')}${units[name] ?? ''}`)))),
    el('p', { class: 'hint' }, 'A refused ciphertext is a failed operation; a wrong guess is a successful one that answered false.'));
  },
};

/** Shows the count in a step. It is not updated later, like the text below it. */
function tries(step) {
  const box = step.querySelector('.tries');
  if (!box) return;
  const made = Math.min(wrong(), most);
  box.replaceChildren(el('span', { class: 'dots', 'aria-hidden': 'true' }, Array.from({ length: most }, (_, n) => el('i', { class: n < made ? 'on' : '' }))),
    el('span', {}, made >= most ? 'Locked' : `${most - made} of ${most} guesses left`));
}

/** Whether a step can run now: a key is needed first, then a secret. */
function possible(id) {
  return ['issue', 'metrics'].includes(id) || (client.pair && (id === 'set' || client.kind));
}

$('deviceId').value = fresh('sandbox-phone');
preview($('issue'), 'generateClientEncryptionKey', { input: { deviceId: $('deviceId').value, appVersion: '1.0.0' } });
preview($('set'), 'setTransactionPin', { input: { encryptedPin: '…', keyId: '…', passwordAuthType: 'TRANSACTION_PIN' } });
for (const id of ['verify', 'wrong', 'lock']) preview($(id), 'verifyTransactionPin');
preview($('rotate'), 'rotateClientEncryptionKey');
preview($('metrics'), 'getEncryptionMetricsSummary');
for (const radio of document.querySelectorAll('input[name=kind]')) {
  radio.addEventListener('change', () => {
    $('secret').value = kind() === 'PASSCODE' ? 'correct horse 47' : '493817';
    $('guess').value = kinds[kind()].guess;
  });
}
const ready = tell(steps, possible, tries);
$('deviceId').addEventListener('change', () => { // the other device has no key here
  client = unknown();
  ready();
});
tries($('wrong'));
