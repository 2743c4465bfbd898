// GraphiQL with the eight operations as tabs. Their variables hold three marks
// that this page fills in before it sends them: {{keyId}} and {{publicKey}} of
// the key that was issued last, and {{encrypt …}}, which is encrypted here as
// a client would do it. So each example runs, one after the other.
import { encrypt, importKey, operations, post } from './strongroom.js';

// What the dialogs make of style elements gets the nonce of this page (get-nonce looks here).
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
  rotateClientEncryptionKey: [identity, 'A new key; the one before is dead at once.', 'Rotate'],
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

/** Fills in the marks of one value, whatever it is. */
async function fill(value) {
  if (Array.isArray(value)) return Promise.all(value.map(fill));
  if (value && typeof value === 'object') {
    return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([k, v]) => [k, await fill(v)])));
  }
  const [, mark, text] = typeof value === 'string' ? value.match(/^\{\{(keyId|publicKey|encrypt)(?: ([\s\S]*))?\}\}$/) ?? [] : [];
  if (!mark) return value;
  if (!pair) throw new Missing('There is no key yet: run the first tab, generateClientEncryptionKey, and then this one again.');
  return mark === 'encrypt' ? encrypt(await importKey(pair.publicKey), text ?? '') : pair[mark];
}

async function fetcher({ query, variables, operationName }, { headers: extra = {} } = {}) {
  let filled;
  try {
    filled = await fill(variables);
  } catch (e) {
    return { errors: [{ message: e instanceof Missing ? e.message : 'This browser cannot encrypt here: open the page on localhost or over https.' }] };
  }
  // Just after a change of tabs GraphiQL still names the operation of the tab before.
  const named = operationName && new RegExp(`\\b${operationName}\\b`).test(query) ? operationName : undefined;
  const x = await post('/graphql', { query, variables: filled, operationName: named }, extra);
  const issued = x.answer?.data?.generateClientEncryptionKey ?? x.answer?.data?.rotateClientEncryptionKey;
  if (issued?.keyId && issued.publicKey) pair = issued;
  return x.answer ?? { errors: [{ message: x.failure }] };
}

// GraphiQL would keep what is typed in the browser for good, plain secrets for
// the helper among it. Here it is gone with the page.
const kept = new Map();
const storage = {
  getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value), removeItem: (name) => kept.delete(name),
  clear: () => kept.clear(), get length() { return kept.size; },
};

const h = React.createElement;
ReactDOM.createRoot(document.getElementById('graphiql')).render(h(GraphiQL, {
  fetcher, defaultTabs: tabs, variables: tabs[0].variables, headers: tabs[0].headers, storage, isHeadersEditorEnabled: true, shouldPersistHeaders: false, defaultEditorToolsVisibility: 'variables',
  ...(introspection === 'true' ? {} : { schema: null }),
}));

// Screen readers are told what the editors are, which GraphiQL leaves out.
const names = [['.graphiql-query-editor', 'Query'], ['.graphiql-editor-tool', 'Variables and headers'], ['.graphiql-response', 'Answer']];
new MutationObserver(() => {
  for (const area of document.querySelectorAll('.CodeMirror textarea:not([aria-label])')) {
    area.setAttribute('aria-label', names.find(([place]) => area.closest(place))?.[1] ?? 'Editor');
  }
}).observe(document.getElementById('graphiql'), { childList: true, subtree: true });
