// GraphiQL with a tab for each of eight operations. Their variables contain three
// placeholders, which this page fills in before it sends them: {{keyId}} and
// {{publicKey}} of the key that was issued last, and {{encrypt …}}, which it
// encrypts like a client. So the examples run one after the other.
import { encrypt, importKey, operations, post, unable } from './strongroom.js';

// The dialogs' style elements get the nonce of this page (get-nonce reads this variable).
globalThis.__webpack_nonce__ = document.body.nonce;

const { React, ReactDOM, GraphiQL } = globalThis;
const { introspection, mode, accountHeader } = document.body.dataset;
const deviceId = `sandbox-graphiql-${[...crypto.getRandomValues(new Uint8Array(4))].map((b) => b.toString(16).padStart(2, '0')).join('')}`;
let pair = null;

const identity = { input: { deviceId, appVersion: '1.0.0' } };
const secret = (field, value, passwordAuthType) => ({ input: { [field]: `{{encrypt ${value}}}`, keyId: '{{keyId}}', passwordAuthType } });
const examples = {
  generateClientEncryptionKey: [identity, 'Begin here: the others use the key of this answer.', 'Issue'],
  setTransactionPin: [secret('encryptedPin', '493817', 'TRANSACTION_PIN'), 'This page fills in {{…}}, and encrypts the PIN.', 'SetPin'],
  verifyTransactionPin: [secret('encryptedPin', '493817', 'TRANSACTION_PIN'), 'Wrong ones in a row lock it.', 'VerifyPin'],
  setUserPasscode: [secret('encryptedPasscode', 'correct horse 47', 'PASSCODE'), 'This page fills in {{…}}, and encrypts the passcode.', 'SetPasscode'],
  verifyUserPasscode: [secret('encryptedPasscode', 'correct horse 47', 'PASSCODE'), 'Wrong ones in a row lock it.', 'VerifyPasscode'],
  rotateClientEncryptionKey: [identity, 'A new key; the old one stops working immediately.', 'Rotate'],
  encryptDataLikeClient: [{ input: { body: '493817', publicKey: '{{publicKey}}' } }, 'The plain text travels: never a real secret.', 'Helper'],
  getEncryptionMetricsSummary: [{ hours: 24 }, 'A JSON document inside a string.', 'Metrics'],
};

const headers = { jwt: { Authorization: 'Bearer ' }, gateway: { Authorization: 'Bearer ', [accountHeader]: 'sandbox-user' } }[mode];
const tabs = Object.entries(examples).map(([name, [variables, words, title]]) => ({
  query: `# ${words}\n${operations[name].replace(/^(mutation|query) /, `$1 ${title} `)}\n`,
  variables: JSON.stringify(variables, null, 2),
  headers: headers ? JSON.stringify(headers, null, 2) : '',
}));

class Missing extends Error {}

// Each tab has its own headers. A header that was not changed is sent as it was last
// changed in another tab, so that a token is pasted only once. Before that, the page
// sends no request that the service would count as one with a wrong token.
const given = {};
function named(extra) {
  const all = { ...extra };
  for (const [name, asItCame] of Object.entries(headers ?? {})) {
    if (!(name in all)) continue;
    if (String(all[name]).trim() !== asItCame.trim()) given[name] = all[name];
    else if (name in given) all[name] = given[name];
    else if (name === 'Authorization' && mode === 'jwt') throw new Missing('This service knows its callers by a bearer token. Write one into Headers, below the query, after the word Bearer, and run this again. The other tabs take it from there; the button at the lower left loads the schema.');
    else if (name === 'Authorization') delete all[name]; // a gateway can use a client certificate instead
  }
  return all;
}

/** Fills in the placeholders in a value of any type. A ciphertext gets this label. */
async function fill(value, label) {
  if (Array.isArray(value)) return Promise.all(value.map((v) => fill(v, label)));
  if (value && typeof value === 'object') {
    return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([k, v]) => [k, await fill(v, k.startsWith('encryptedCurrent') ? 'strongroom/current' : label)])));
  }
  const [, mark, text] = typeof value === 'string' ? value.match(/^\{\{(keyId|publicKey|encrypt)(?: ([\s\S]*))?\}\}$/) ?? [] : [];
  if (!mark) return value;
  if (!pair) throw new Missing('There is no key yet: run the first tab, generateClientEncryptionKey, and then this one again.');
  return mark === 'encrypt' ? encrypt(await importKey(pair.publicKey), text ?? '', label) : pair[mark];
}

async function fetcher({ query, variables, operationName }, { headers: extra = {} } = {}) {
  // Just after a change of tabs, GraphiQL still sends the previous tab's operation name.
  const at = operationName ? query.search(new RegExp(`\\b${operationName}\\b`)) : -1;
  const ours = at >= 0 ? operationName : undefined;
  const [, purpose = 'verify'] = query.slice(Math.max(at, 0)).match(/\b(set|verify|authorize)(?:TransactionPin|UserPasscode|Transaction)\b/) ?? [];
  let filled, all;
  try {
    all = named(extra);
    filled = await fill(variables, `strongroom/${purpose}`);
  } catch (e) {
    return { errors: [{ message: e instanceof Missing ? e.message : unable() || `The browser could not encrypt: ${e.message || e.name}. The secret may be too long for the key.` }] };
  }
  const x = await post('/graphql', { query, variables: filled, operationName: ours }, all);
  const issued = x.answer?.data?.generateClientEncryptionKey ?? x.answer?.data?.rotateClientEncryptionKey;
  if (issued?.keyId && issued.publicKey) pair = issued;
  return x.answer ?? { errors: [{ message: x.failure }] };
}

// GraphiQL would store what is typed in the browser permanently, including plain
// secrets for the helper. Here it disappears with the page.
const kept = new Map();
const storage = {
  getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name),
  clear: () => kept.clear(), get length() { return kept.size; },
};

const h = React.createElement;
ReactDOM.createRoot(document.getElementById('graphiql')).render(h(GraphiQL, {
  fetcher, defaultTabs: tabs, variables: tabs[0].variables, headers: tabs[0].headers, storage, isHeadersEditorEnabled: true, shouldPersistHeaders: false, defaultEditorToolsVisibility: headers ? 'headers' : 'variables',
  ...(introspection === 'true' ? {} : { schema: null }),
}));

// Corrects what GraphiQL tells screen readers. Its editors have no names. Its tabs
// have the role tab but contain buttons, which WAI-ARIA 1.2 does not allow: they
// become a group of buttons, one of them current. Every entry of the history has the
// label "Set active". Long lines are wrapped, because GraphiQL would hide their ends
// behind buttons.
const names = [['.graphiql-query-editor', 'Query'], ['.graphiql-editor-tool', 'Variables and headers'], ['.graphiql-response', 'Answer']];
function mend() {
  for (const area of document.querySelectorAll('.CodeMirror textarea:not([aria-label])')) {
    area.setAttribute('aria-label', names.find(([place]) => area.closest(place))?.[1] ?? 'Editor');
  }
  for (const editor of document.querySelectorAll('.CodeMirror:not(.CodeMirror-wrap)')) editor.CodeMirror?.setOption('lineWrapping', true);
  for (const [what, role] of [['.graphiql-tabs', 'group'], ['.graphiql-tab', 'presentation']]) {
    for (const e of document.querySelectorAll(`${what}:not([role=${role}])`)) e.setAttribute('role', role);
  }
  for (const tab of document.querySelectorAll('.graphiql-tab')) {
    tab.removeAttribute('aria-selected');
    const current = String(tab.classList.contains('graphiql-tab-active'));
    const button = tab.querySelector('.graphiql-tab-button');
    if (button && button.getAttribute('aria-current') !== current) button.setAttribute('aria-current', current);
  }
  for (const entry of document.querySelectorAll('.graphiql-history-item-label[aria-label]')) entry.removeAttribute('aria-label');
}
new MutationObserver(mend).observe(document.getElementById('graphiql'), { childList: true, subtree: true, attributeFilter: ['class', 'role', 'aria-selected', 'aria-label'] });
