// The story: seven steps of a client's life, each of which shows the request,
// the answer, and what it meant on the server.
import { call, encrypt, importKey, operations, unable } from './strongroom.js';
import { codeBlock, el, jsonBlock, start } from './ui.js';

const most = Number(document.body.dataset.attempts);
const $ = (id) => document.getElementById(id);
// wrong counts the wrong guesses in a row for each kind, as the service does.
const fresh = () => ({ pair: null, key: null, secret: '', kind: '', wrong: { TRANSACTION_PIN: 0, PASSCODE: 0 } });
let client = fresh();

const kinds = {
  TRANSACTION_PIN: { set: 'setTransactionPin', verify: 'verifyTransactionPin', field: 'encryptedPin', name: 'PIN', guess: '000000' },
  PASSCODE: { set: 'setUserPasscode', verify: 'verifyUserPasscode', field: 'encryptedPasscode', name: 'passcode', guess: 'wrong guess' },
};
const kind = () => document.querySelector('input[name=kind]:checked').value;

// What each refusal means for a client.
const meanings = {
  BAD_USER_INPUT: 'An argument is not allowed. The message names the field. Nothing was done.',
  KEY_NOT_USABLE: 'The key is not usable any more. A client calls generateClientEncryptionKey, encrypts again and sends that, once.',
  DECRYPTION_FAILED: 'The ciphertext does not decrypt under this key. No guess was counted.',
  CREDENTIAL_LOCKED: 'Locked, for the right secret too. A client waits retryAfterSeconds.',
  CIPHERTEXT_REUSED: 'Replay protection is on, and this ciphertext was sent before.',
  TOO_MANY_REQUESTS: 'A limit was reached. A client waits retryAfterSeconds.',
  OVERLOADED: 'The service is at capacity. Nothing was done; send it again.',
  UNAUTHENTICATED: 'The service does not know who is calling. Fill in “Authentication” above.',
  FORBIDDEN: 'The caller may not do this: a scope is missing, or replacing a secret wants fresh proof.',
  OPERATION_DISABLED: 'The operator turned this off.',
};

class Refused extends Error {
  constructor(exchange) {
    super(exchange.failure ?? exchange.error?.message ?? exchange.answer?.message ?? `Status ${exchange.status}`);
    this.exchange = exchange;
  }
}

/** Calls an operation and shows the exchange in the step. */
async function ask(step, name, variables, title) {
  const exchange = await call(name, operations[name], variables);
  show(step, exchange, title);
  return exchange;
}

/** Like ask, where nothing but success makes sense. */
async function must(step, name, variables, title) {
  const exchange = await ask(step, name, variables, title);
  if (exchange.value === null) throw new Refused(exchange);
  return exchange;
}

function show(step, x, title = x.name) {
  const wire = step.querySelector('.wire');
  wire.querySelector('.preview')?.remove();
  for (const earlier of wire.querySelectorAll('details')) earlier.open = false;
  const verdict = x.failure ? 'failed' : x.code || (typeof x.value === 'boolean' ? String(x.value) : `${x.status}`);
  wire.append(el('details', { class: 'exchange', open: true },
    el('summary', {}, el('span', { class: 'verb' }, 'POST'), el('span', { class: 'what' }, title),
      el('span', { class: `pill ${x.code || x.failure ? 'bad' : x.value === false ? 'warn' : 'good'}` }, verdict),
      el('span', { class: 'took' }, `${Math.max(1, Math.round(x.took))} ms`)),
    codeBlock('Query', x.sent.query, `Query of ${title}`),
    jsonBlock('Variables', x.sent.variables, `Variables of ${title}`),
    jsonBlock(x.status ? `Answer · HTTP ${x.status}` : 'Answer', x.failure ?? x.answer, `Answer to ${title}`)));
}

/** The request as it will be, before the step was run. */
function preview(step, name, variables) {
  step.querySelector('.wire').append(el('div', { class: 'preview' },
    codeBlock('POST /graphql', operations[name], `Query of ${name}`),
    variables ? jsonBlock('Variables', variables, `Variables of ${name}`) : ''));
}

function outcome(step, tone, headline, ...facts) {
  step.querySelector('.outcome').replaceChildren(
    el('p', { class: `headline ${tone}` }, headline),
    facts.length ? el('div', { class: 'inside' }, el('h3', {}, 'What happened'), el('ul', {}, facts.filter(Boolean).map((f) => el('li', {}, f)))) : '');
}

const code = (text) => el('code', {}, text);

/** Who asks for a key: the same device each time, and its version. */
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
  const ciphertext = await encrypt(key, secret);
  const exchange = await ask(step, operation, { input: { [field]: ciphertext, keyId: pair.keyId, passwordAuthType: client.kind } }, title);
  return { ...exchange, ciphertext };
}

const verify = (step, secret, options) => submit(step, kinds[client.kind].verify, secret, options);

const wrong = () => client.wrong[client.kind || kind()];
const count = (right) => { client.wrong[client.kind] = right ? 0 : wrong() % most + 1; }; // behind a lock it begins anew

/** A verdict is true or false; everything else is none. A lock ends the count. */
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
    outcome(step, x.value ? 'good' : 'warn', x.value ? 'true: it is the one' : 'false: it is not',
      'Before it was compared, a try was reserved on disk: a crash or a thousand requests at once win no extra guess.',
      x.value ? 'It was right, so the count of wrong ones in a row is zero again.' : 'It was wrong, and that was counted.');
  },

  async wrong(step) {
    const x = verdict(await verify(step, $('guess').value));
    if (x.code) throw new Refused(x);
    count(x.value);
    if (x.value) return outcome(step, 'warn', 'true: that was the right one');
    outcome(step, 'warn', 'false, and counted',
      `By this page's count that is ${wrong()} of ${most} in a row.`,
      'Nothing set, unknown and wrong all get this answer, after the same work: there is nothing to learn from it but that it is not right.');
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
    x = verdict(await verify(step, client.secret, { title: `the right ${kinds[client.kind].name}` }));
    if (!x.code) {
      count(x.value);
      return outcome(step, 'warn', 'Not locked yet', 'This service allows more guesses than this page thought.');
    }
    const { retryAfterSeconds, permanent } = x.error.extensions;
    outcome(step, 'bad', permanent ? 'Locked for good' : `Locked for ${duration(retryAfterSeconds)}`,
      `The right ${kinds[client.kind].name} was refused as well: while it is locked, nothing is compared.`,
      permanent ? 'Only an operator can end this: strongroom admin unlock.'
        : el('span', {}, code('retryAfterSeconds'), ` is ${retryAfterSeconds}: tell the user when to come back, and do not try before.`),
      'The lock is a row in the database. A restart, another instance or a new key does not end it, and setting a new secret does not either.');
  },

  async rotate(step) {
    const old = { pair: client.pair, key: client.key };
    const { value } = await must(step, 'rotateClientEncryptionKey', identity());
    await adopt(value);
    const withOld = await verify(step, client.secret, { ...old, title: 'with the old key' });
    const withNew = await verify(step, client.secret, { title: 'with the new key' });
    outcome(step, withOld.code === 'KEY_NOT_USABLE' ? 'good' : 'warn', withOld.code === 'KEY_NOT_USABLE' ? 'The old key is dead' : 'The old key still verifies',
      withOld.code === 'KEY_NOT_USABLE' ? el('span', {}, 'What was encrypted under the old key is refused with ', code('KEY_NOT_USABLE'), '. Its private half was erased in the same transaction.')
        : 'This service gives old keys some time (--rotation-grace), for verify only.',
      withNew.code === 'CREDENTIAL_LOCKED' ? 'Under the new key the ciphertext opens, and the lock still stands.'
        : withNew.value === true ? `Under the new key the ${kinds[client.kind].name} is right: it did not change.` : '',
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

function duration(seconds) {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}

/** Draws the count into a step. It stays there as it was at that step, like the words below it. */
function tries(step) {
  const box = step.querySelector('.tries');
  if (!box) return;
  const made = Math.min(wrong(), most);
  box.replaceChildren(el('span', { class: 'dots', 'aria-hidden': 'true' }, Array.from({ length: most }, (_, n) => el('i', { class: n < made ? 'on' : '' }))),
    el('span', {}, made >= most ? 'Locked' : `${most - made} of ${most} guesses left`));
}

let busy = false;

async function run(id) {
  const step = $(id);
  step.querySelector('.wire').replaceChildren();
  step.classList.add('running');
  let ok = true;
  try {
    ok = (await steps[id](step)) !== false;
  } catch (e) {
    ok = false;
    if (e instanceof Refused) {
      const { code: name, requestId, error } = e.exchange;
      const wait = error?.extensions?.retryAfterSeconds;
      outcome(step, 'bad', name || 'It did not work', e.message, meanings[name], wait ? `Wait ${duration(wait)}.` : '', requestId ? `The request id is ${requestId}.` : '');
    } else {
      outcome(step, 'bad', 'This page failed', 'The browser could not do it: reload the page and try again.');
    }
  }
  step.classList.remove('running');
  step.classList.toggle('done', ok);
  tries(step);
  ready();
  return ok;
}

/** What can be done now: a key first, then a secret. */
function ready() {
  for (const id of Object.keys(steps)) {
    $(id).querySelector('.run').disabled = busy || (id === 'set' && !client.pair) || (!['issue', 'set', 'metrics'].includes(id) && !(client.pair && client.kind));
  }
  $('run-all').disabled = busy;
}

async function exclusively(work) {
  if (busy) return;
  busy = true;
  ready();
  try {
    await work();
  } finally {
    busy = false;
    ready();
  }
}

async function runAll() {
  for (const id of Object.keys(steps)) {
    $('progress').textContent = `Step: ${$(`${id}-title`).textContent}`;
    if (!await run(id)) {
      $('progress').textContent = `Stopped at: ${$(`${id}-title`).textContent}`;
      $(id).scrollIntoView({ block: 'start' });
      return;
    }
  }
  $('progress').textContent = 'The whole story was run.';
}

start();
const random = crypto.getRandomValues(new Uint8Array(5));
$('deviceId').value = `sandbox-phone-${[...random].map((b) => b.toString(16).padStart(2, '0')).join('')}`;
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
$('deviceId').addEventListener('change', () => { // another device: it has no key here
  client = fresh();
  ready();
});
const why = unable();
if (why) {
  $('unable').textContent = why;
  $('unable').hidden = false;
}
for (const id of Object.keys(steps)) $(id).querySelector('.run').addEventListener('click', () => exclusively(() => run(id)));
$('run-all').addEventListener('click', () => exclusively(runAll));
tries($('wrong'));
ready();
