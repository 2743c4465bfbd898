// The decrypt doctor: a key, a ciphertext, a diagnosis.
import { callerHeaders, post, unable } from './strongroom.js';
import { codeBlock, el, start } from './ui.js';
import { commit, labelOf, mistakesOf } from './mistakes.js';

const $ = (id) => document.getElementById(id);
const keys = []; // issued to this tab, newest last

const verdicts = {
  accepted: ['good', 'The service accepts this'],
  doubtful: ['warn', 'It decrypts, but the secret inside is wrong'],
  refused: ['bad', 'The service refuses this: DECRYPTION_FAILED'],
  unknown: ['warn', 'Not a sandbox key'],
};

function refusal(x) {
  const error = x.answer?.errors?.[0];
  const wait = error?.extensions?.retryAfterSeconds;
  return [x.failure ?? error?.message ?? `Status ${x.status}`, wait ? ` Wait ${wait} seconds.` : ''].join('');
}

async function issue(algorithm) {
  const x = await post('/sandbox/doctor/keys', { algorithm }, callerHeaders());
  if (!x.answer?.keyId) throw new Error(refusal(x));
  keys.push(x.answer);
  $('keyIds').replaceChildren(...keys.map((k) => el('option', { value: k.keyId })));
  return x.answer;
}

/** How a client under test can request a key itself. */
function command(algorithm) {
  return codeBlock('sh', `curl -sS ${location.origin}/sandbox/doctor/keys \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify({ algorithm })}'`, 'The same from a terminal');
}

const folded = (name, summary, value) => el('details', {}, el('summary', {}, summary), codeBlock(name, value, name));

/** The public key in the form that the client's library reads, and in others. */
function forms(key) {
  if (!key.publicKeyBytes) return [codeBlock('publicKey', key.publicKey, 'publicKey'), folded('publicKeyPkcs1', 'publicKeyPkcs1, for iOS and Dart', key.publicKeyPkcs1)];
  return [codeBlock('publicKeyBytes', key.publicKeyBytes, 'publicKeyBytes'), folded('publicKey', 'publicKey, as PEM', key.publicKey)];
}

function showKey(key) {
  const until = new Date(key.expiresAt);
  $('keyId').value = key.keyId;
  $('key-shown').replaceChildren(
    el('p', { class: 'keyline' }, el('span', { class: 'badge accent' }, 'Sandbox key'), el('code', {}, key.keyId)),
    el('p', { class: 'hint' }, `${key.algorithm}, ${key.keySize} bits. In memory only, until `, el('time', { datetime: key.expiresAt, title: key.expiresAt }, until.toLocaleTimeString()), '.'),
    ...forms(key),
    el('details', {}, el('summary', {}, 'From a terminal'), command(key.algorithm)));
  about();
}

/** The key in the field, if this page has it. */
const chosen = () => keys.find((k) => k.keyId === $('keyId').value.trim());

/** Shows the mistakes that belong to the key in the field. */
function about() {
  const [list, before] = [mistakesOf(chosen()), $('mistake').value];
  $('mistake').replaceChildren(...list.map((m) => el('option', { value: m.code }, m.name)));
  if (list.some((m) => m.code === before)) $('mistake').value = before;
}

/** What a client must give HPKE besides the key. */
function expected(e) {
  return [['Suite', e.suite], ['enc', `the first ${e.encBytes} bytes`], ['info', el('code', {}, e.info)], ['AAD', el('code', {}, JSON.stringify(e.aad))]]
    .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)));
}

function finding(f, verdict) {
  const tone = f.code.startsWith('FINE') ? 'good' : f.refused ? 'bad' : 'warn';
  // The same content may be refused as a PIN and accepted as a passcode, so this does not say.
  const word = { good: 'In order', bad: 'Refused for this', warn: verdict === 'refused' ? 'Besides' : 'It decrypts, but' }[tone];
  return el('li', { class: `finding ${tone}`, 'data-code': f.code },
    el('p', { class: 'kicker' }, el('span', { class: `pill ${tone}` }, word), el('code', {}, f.code)),
    el('h3', {}, f.title), el('p', {}, f.meaning), el('p', { class: 'remedy' }, el('strong', {}, 'What to do. '), f.remedy));
}

function show(d) {
  const [tone, words] = verdicts[d.verdict];
  $('result').replaceChildren(
    el('p', { class: `verdict ${tone}`, 'data-verdict': d.verdict }, words),
    d.verdict === 'unknown' ? el('p', {}, 'The decrypt doctor knows only keys that it issued within the last hour on this instance. Request a new sandbox key.') : '',
    d.scheme ? el('dl', { class: 'facts' },
      el('div', {}, el('dt', {}, 'Encrypted with'), el('dd', {}, d.scheme)),
      d.shape ? el('div', {}, el('dt', {}, 'Shape of the secret'), el('dd', {}, el('code', {}, d.shape), el('span', { class: 'hint' }, ' each • is a letter or digit'))) : '') : '',
    el('ol', { class: 'findings' }, d.findings.map((f) => finding(f, d.verdict))),
    d.expected ? el('section', { class: 'expected' }, el('h3', {}, 'What HPKE needs for this key'), el('dl', { class: 'facts' }, expected(d.expected))) : '');
  $('result').parentElement.scrollIntoView({ block: 'nearest' });
}

function fail(message) {
  $('result').replaceChildren(el('p', { class: 'verdict bad' }, message));
}

async function diagnose() {
  const keyId = named();
  if (!keyId) return;
  examining();
  const x = await post('/sandbox/doctor/diagnose', {
    keyId, ciphertext: $('ciphertext').value, operation: $('operation').value, otherKeyIds: keys.slice(-5).map((k) => k.keyId).filter((id) => id !== keyId),
  }, callerHeaders());
  if (x.answer?.verdict) show(x.answer);
  else fail(refusal(x));
}

/** Removes the last diagnosis, so that nobody takes it for the new one. */
function examining() {
  $('diagnosis').setAttribute('aria-busy', 'true');
  $('result').replaceChildren(el('p', { class: 'hint' }, 'The doctor is looking at it …'));
}

/** The keyId in the field. If it is empty, asks for one and returns ''. */
function named() {
  const keyId = $('keyId').value.trim();
  $('keyId').value = keyId;
  if (!keyId) {
    fail('Which key is it for? Get a sandbox key in step 1, or give the keyId of one.');
    $('keyId').reportValidity();
  }
  return keyId;
}

async function make() {
  const keyId = named();
  if (!keyId) return;
  examining();
  const key = chosen();
  if (!key) {
    fail('Get a sandbox key first: the page needs its public half.');
    return;
  }
  const mistake = mistakesOf(key).find((m) => m.code === $('mistake').value);
  let other = keys.find((k) => k !== key && k.algorithm === key.algorithm);
  if (mistake.code === 'OTHER_KEY' && !other) {
    other = await issue(key.algorithm);
  }
  if (mistake.operation) $('operation').value = mistake.operation;
  $('ciphertext').value = await commit(mistake, key, other, document.body.dataset.purpose === 'required' ? labelOf($('operation').value) : '');
  await diagnose();
}

let busy = false;

/** Enables the buttons that work now. Mistakes need a key of this page. */
function ready() {
  for (const button of [$('diagnose'), $('make'), document.querySelector('#key .run')]) button.disabled = busy;
  if (!keys.length) $('make').disabled = true;
}

/** Runs one thing at a time. A pressed button is busy until it is done, and keeps the focus. */
function on(button, work, failed) {
  button.addEventListener('click', async () => {
    if (busy) return;
    busy = true;
    const focused = document.activeElement === button;
    button.setAttribute('aria-busy', 'true');
    ready();
    try {
      await work();
    } catch (e) {
      failed(e.message);
    }
    for (const e of [button, $('diagnosis')]) e.removeAttribute('aria-busy');
    busy = false;
    ready();
    if (focused && document.activeElement === document.body) button.focus();
  });
}

start();
$('key-shown').append(el('p', { class: 'hint' }, 'The button does this, and your client can do it too. The answer has the fields of /api/encryption/keys:'), command($('algorithm').value));
const keyOutcome = document.querySelector('#key .outcome');
on(document.querySelector('#key .run'), async () => {
  showKey(await issue($('algorithm').value));
  keyOutcome.replaceChildren(el('p', { class: 'headline good' }, 'A key for the doctor'));
}, (message) => keyOutcome.replaceChildren(el('p', { class: 'headline bad' }, message)));
on($('diagnose'), diagnose, fail);
on($('make'), make, fail);
$('keyId').addEventListener('input', about);
about();
const why = unable();
if (why) {
  $('unable').textContent = `${why} Pasting a ciphertext works all the same.`;
  $('unable').hidden = false;
}
