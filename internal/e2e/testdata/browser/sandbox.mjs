// Drives the sandbox in a real browser. Told by the environment, beside what
// visit.mjs is told: BASE (address of a service), GATEWAY (address of one in
// gateway mode), TOKEN (its service token), JWT (address of one in jwt mode),
// BEARER (a token of a user), LABELS (address of one that requires labels), BACKEND and BACKEND_BEARER (with which receipts
// are redeemed at BASE and at JWT), CASES (JSON: ciphertexts that other programs
// made, and what the doctor must say of them).
import { SHOTS, accessible, assert, check, end, equal, presentable, visitor } from './visit.mjs';

const { BASE, GATEWAY, TOKEN, JWT, BEARER, BACKEND, BACKEND_BEARER, LABELS } = process.env;
const cases = JSON.parse(process.env.CASES);

async function open(url, options) {
  const page = await (await visitor([new URL(url).origin], options)).newPage();
  await page.goto(url);
  return page;
}

/** The browser reports each answer of 401, as it should. */
function refused(page, times) {
  const [those, others] = [true, false].map((is) => page.context().wrong.filter((w) => w.includes('status of 401') === is));
  equal(those.length, times, 'answers of 401');
  page.context().wrong = others;
}

const pills = (page, step) => page.locator(`#${step} .exchange .pill`).allTextContents();
const headline = (page, step) => page.locator(`#${step} .headline`).textContent();

async function told(page) {
  await page.waitForFunction(() => /was run|Stopped/.test(document.getElementById('progress').textContent));
  equal(await page.locator('#progress').textContent(), 'The whole story was run.', 'progress');
}

// CodeMirror 5 keeps what it scrolls out of the order of tabs, and has a field
// of its own beside it, out of sight, that is in it and scrolls by the keys.
const graphiql = { spared: { 'scrollable-region-focusable': '.CodeMirror-scroll' } };

/** Opens a tab of GraphiQL, and waits until its editors have taken it over. */
async function choose(page, tab) {
  await page.locator('.graphiql-tab-button', { hasText: new RegExp(`^${tab}$`) }).click();
  await page.locator('.graphiql-query-editor .CodeMirror-code', { hasText: new RegExp(`(mutation|query)\\s+${tab}\\b`) }).waitFor();
  await page.locator('.graphiql-tab-active', { hasText: tab }).waitFor();
  await page.locator('.graphiql-editor-tool .CodeMirror-code:visible', { hasText: '{' }).waitFor();
}

/** Waits until GraphiQL shows an answer. */
const shows = (page, text) => page.locator('.graphiql-response .CodeMirror-code', { hasText: text }).waitFor();

/** Types the headers of a tab of GraphiQL, which shows them. */
async function headers(page, all) {
  await page.locator('.graphiql-editor-tool .CodeMirror:visible', { hasText: 'Bearer' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify(all));
}

await check('GraphiQL runs each of the eight examples', async () => {
  const page = await open(`${BASE}/graphql`);
  const want = {
    Issue: '"keyId"', SetPin: '"setTransactionPin": true', VerifyPin: '"verifyTransactionPin": true', SetPasscode: '"setUserPasscode": true',
    VerifyPasscode: '"verifyUserPasscode": true', Rotate: '"rotateClientEncryptionKey"', Helper: '"encryptedData"', Metrics: 'totalOperations',
  };
  equal((await page.locator('.graphiql-tab-button').allTextContents()).map((t) => t.trim()), Object.keys(want), 'tabs');
  for (const [tab, text] of Object.entries(want)) {
    await choose(page, tab);
    await page.locator('.graphiql-execute-button').click();
    try {
      await shows(page, text);
    } catch {
      assert(false, `${tab}: ${await page.locator('.graphiql-container').innerText()}`);
    }
    const response = await page.locator('.graphiql-response .CodeMirror-code').textContent();
    assert(!response.includes('"errors"'), `${tab}: ${response}`);
  }
});

await check('GraphiQL says what comes first, and shows the schema', async () => {
  const page = await open(`${BASE}/graphql`);
  await choose(page, 'SetPin');
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response', { hasText: 'There is no key yet' }).waitFor();
  await choose(page, 'Issue');
  await page.locator('.graphiql-execute-button').click();
  await shows(page, '"keyId"');
  await choose(page, 'SetPin');
  await page.locator('.graphiql-editor-tool .CodeMirror:visible', { hasText: '{{encrypt' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify({ input: { encryptedPin: `{{encrypt ${'4'.repeat(500)}}}`, keyId: '{{keyId}}', passwordAuthType: 'TRANSACTION_PIN' } }));
  await page.locator('.graphiql-execute-button').click();
  await shows(page, 'The secret may be too long for the key');
  const [schema, history] = [0, 1].map((n) => page.locator('.graphiql-sidebar button').nth(n));
  await schema.click();
  await page.locator('.graphiql-doc-explorer', { hasText: 'Mutation' }).waitFor();
  await accessible(page, graphiql);
  await history.click();
  await page.locator('.graphiql-history-item').first().waitFor();
  await accessible(page, graphiql);
  for (const dialog of ['Open settings dialog', 'Open short keys dialog']) {
    await page.locator(`[aria-label="${dialog}"]`).click();
    await page.locator('.graphiql-dialog').waitFor();
    await accessible(page, graphiql);
    await page.keyboard.press('Escape');
    await page.locator('.graphiql-dialog').waitFor({ state: 'detached' });
  }
});

await check('GraphiQL shows each line to its end', async () => {
  const page = await open(`${BASE}/graphql`);
  await choose(page, 'VerifyPin');
  const [type, editor] = await Promise.all([page.getByText('EncryptedVerifyTransactionPinInput', { exact: true }), page.locator('.graphiql-query-editor .CodeMirror')].map((e) => e.boundingBox()));
  assert(type.x + type.width <= editor.x + editor.width, `the type ends at ${type.x + type.width}, and the editor at ${editor.x + editor.width}`);
});

await check('the whole story of a client', async () => {
  const page = await open(`${BASE}/`); // which leads to the sandbox
  equal(page.url(), `${BASE}/sandbox/`, 'where the bare address leads');
  await page.click('#run-all');
  await told(page);
  equal(await pills(page, 'issue'), ['200'], 'issue');
  equal(await pills(page, 'set'), ['true'], 'set');
  equal(await pills(page, 'verify'), ['true'], 'verify');
  equal(await pills(page, 'wrong'), ['false'], 'wrong');
  equal(await pills(page, 'lock'), ['false', 'false', 'false', 'false', 'CREDENTIAL_LOCKED'], 'lock');
  equal(await pills(page, 'rotate'), ['200', 'KEY_NOT_USABLE', 'CREDENTIAL_LOCKED'], 'rotate');
  equal(await headline(page, 'lock'), 'Locked for 30 minutes', 'lock');
  for (const [step, count, words] of [['wrong', 1, '4 of 5 guesses left'], ['lock', 5, 'Locked']]) {
    equal(await page.locator(`#${step} .tries`).textContent(), words, `guesses left at ${step}`);
    equal(await page.locator(`#${step} .dots .on`).count(), count, `dots at ${step}`);
  }
  assert((await page.locator('#wrong .outcome').textContent()).includes('1 of 5 in a row'), 'the words below the dots say otherwise');
  assert((await page.locator('#rotate .wire').textContent()).includes('"appVersion": "1.0.0"'), 'rotate sends no version');
  const [, wait] = (await page.locator('#lock .wire').textContent()).match(/"retryAfterSeconds": (1800|17[89]\d)\b/) ?? [];
  assert(wait && (await page.locator('#lock .outcome').textContent()).includes(`retryAfterSeconds is ${wait}:`), `retryAfterSeconds of the answer, ${wait}, is not told`);
  assert(Number(await page.locator('#metrics dd').first().textContent()) >= 12, 'the operations are not in the metrics');
  assert(!(await page.locator('#set .wire').textContent()).includes('493817'), 'the secret was sent');
  await page.locator('#issue .run').click();
  await page.locator('#issue .headline', { hasText: 'The same key again' }).waitFor();
  await accessible(page);
});

await check('the pages encrypt with the labels that a service requires', async () => {
  const page = await open(`${LABELS}/sandbox/`);
  await page.click('#run-all');
  await told(page);
  equal(await pills(page, 'rotate'), ['200', 'KEY_NOT_USABLE', 'CREDENTIAL_LOCKED'], 'rotate');
  await page.getByText('This service refuses ciphertexts without a label').waitFor();
  await page.goto(`${LABELS}/sandbox/pay`);
  await page.click('#prepare .run');
  await page.locator('#prepare .headline', { hasText: 'The PIN is set' }).waitFor();
  await page.click('#pay .run');
  await page.locator('#pay .headline', { hasText: 'authorized' }).waitFor();
  await page.goto(`${LABELS}/graphql`);
  for (const [tab, text] of Object.entries({ Issue: '"keyId"', SetPin: '"setTransactionPin": true', VerifyPin: '"verifyTransactionPin": true' })) {
    await choose(page, tab);
    await page.locator('.graphiql-execute-button').click();
    await shows(page, text);
  }
  await page.goto(`${LABELS}/sandbox/doctor`);
  await page.click('#key .run');
  await page.locator('#key-shown .badge').waitFor();
  for (const [operation, mistake, codes] of [['', 'FINE', ['FINE']], ['setTransactionPin', 'FINE', ['FINE']], ['setUserPasscode/current', 'FINE', ['FINE']], ['', 'LABEL', ['LABEL']], ['', 'OTHER_LABEL', ['OTHER_LABEL']]]) {
    await page.selectOption('#operation', operation);
    await page.selectOption('#mistake', mistake);
    equal((await diagnosed(page, () => page.click('#make'))).codes, codes, `${mistake} of ${operation || 'any'}`);
  }
});

await check('a service that is too busy does not seem to accept the old key', async () => {
  const page = await open(`${BASE}/sandbox/`);
  for (const step of ['issue', 'set']) {
    await page.click(`#${step} .run`);
    await page.locator(`#${step} .headline.good`).waitFor();
  }
  const busy = { data: { verifyTransactionPin: null }, errors: [{ message: 'The service is at capacity.', extensions: { code: 'OVERLOADED' } }] };
  let old = true; // the first verify is with the old key
  await page.route('**/graphql', (route) => {
    if (!old || !route.request().postData().includes('verifyTransactionPin')) return route.continue();
    old = false;
    return route.fulfill({ json: busy });
  });
  await page.click('#rotate .run');
  await page.locator('#rotate .headline').waitFor();
  equal(await headline(page, 'rotate'), 'OVERLOADED', 'rotate');
});

/** Runs all of a payment, and says what each step was answered. */
async function paid(page, backend) {
  await page.fill('#backend', backend);
  await page.click('#run-all');
  await told(page);
  const want = { prepare: ['200', 'true'], pay: ['200'], claims: ['200'], swap: ['TRANSACTION_MISMATCH'], redeem: ['200', '409'] };
  for (const [step, codes] of Object.entries(want)) equal(await pills(page, step), codes, step);
  page.context().wrong = page.context().wrong.filter((w) => !w.includes('status of 409'));
}

await check('a payment is authorized, and its receipt redeemed once', async () => {
  const page = await open(`${BASE}/sandbox/pay`);
  assert(await page.locator('#redeem .run').isDisabled(), 'redeem before there is a receipt');
  await paid(page, BACKEND);
  equal(await headline(page, 'pay'), '12.50 EUR to ACME: authorized', 'pay');
  equal(await headline(page, 'claims'), 'Signed by this service', 'claims');
  equal(await page.locator('.claims tbody th').allTextContents(), ['iss', 'aud', 'sub', 'device', 'keyId', 'jti', 'iat', 'exp', 'passwordAuthType', 'txn_hash', 'amr'], 'claims');
  equal(await page.locator('.claims .meaning').filter({ hasText: /^$/ }).count(), 0, 'claims without a meaning');
  equal(await headline(page, 'redeem'), 'Redeemed: the backend can execute the payment', 'redeem');
  assert(!(await page.locator('main').textContent()).includes(BACKEND), 'the token of the backend is shown');
  assert(!(await page.locator('.wire').allTextContents()).join('').includes('493817'), 'the PIN was sent');
  equal(await page.locator('[role=tab]').allTextContents(), ['Node.js', 'Go', 'Java'], 'programs');
  await accessible(page);
});

await check('a payment with a wrong PIN, without a token, and changed after it', async () => {
  const page = await open(`${BASE}/sandbox/pay`);
  await page.click('#run-all');
  await told(page);
  equal(await headline(page, 'redeem'), 'Not redeemed: a token is missing', 'without a token');
  await page.fill('#amount', '1250.00');
  await page.fill('#backend', BACKEND);
  await page.click('#redeem .run');
  await page.locator('#redeem .headline', { hasText: 'Redeemed, for another payment' }).waitFor();
  await page.fill('#pin', '111222');
  await page.click('#pay .run');
  await page.locator('#pay .headline', { hasText: 'Not authorized' }).waitFor();
  await page.click('#redeem .run');
  await page.locator('#redeem .headline', { hasText: 'It did not work' }).waitFor(); // the receipt of before
  page.context().wrong = page.context().wrong.filter((w) => !w.includes('status of 409'));
  await accessible(page);
});

await check('step by step with the keyboard, a passcode, and what the policy refuses', async () => {
  const page = await open(`${BASE}/sandbox/`);
  await page.keyboard.press('Tab');
  equal(await page.evaluate(() => document.activeElement.className), 'skip', 'the first stop');
  assert(await page.locator('#set .run').isDisabled(), 'set before there is a key');
  await page.locator('#deviceId').focus();
  for (let n = 0; n < 2; n += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#issue .headline').waitFor();
  await page.locator('input[value=TRANSACTION_PIN]').focus();
  await page.keyboard.press('ArrowDown');
  await page.fill('#secret', 'pässwort €4711');
  for (const [step, want] of [['set', 'The passcode is set'], ['verify', 'true: it matches'], ['wrong', 'false, and counted']]) {
    await page.locator(`#${step} .run`).focus();
    await page.keyboard.press('Enter');
    await page.locator(`#${step} .headline`).waitFor();
    equal(await headline(page, step), want, step);
  }
  equal(await page.locator('#wrong .tries').textContent(), '4 of 5 guesses left', 'guesses left');
  await page.fill('#secret', 'abc');
  await page.locator('#set .run').click();
  await page.locator('#set .headline', { hasText: 'Refused by the policy: TOO_SHORT' }).waitFor();
  await page.locator('#tab-swift').focus();
  for (const [key, tab] of [['End', 'openssl'], ['ArrowRight', 'swift'], ['ArrowLeft', 'openssl'], ['Home', 'swift'], ['ArrowRight', 'kotlin']]) {
    await page.keyboard.press(key);
    equal(await page.evaluate(() => document.activeElement.id), `tab-${tab}`, key);
    assert(await page.locator(`#panel-${tab}`).isVisible(), `the panel of ${tab} is hidden`);
  }
  equal(await page.locator('[role=tabpanel]:visible').count(), 1, 'panels shown');
});

async function examine(page, text, keyId) {
  if (keyId) await page.fill('#keyId', keyId);
  await page.fill('#ciphertext', text);
  await diagnosed(page, () => page.click('#diagnose'));
}

/**
 * Acts, and waits for the diagnosis. On a busy machine, a click can return before the page
 * takes the last diagnosis away. A click is also lost if the page scrolls between press and
 * release: the test then acts again.
 */
async function diagnosed(page, act) {
  const next = page.locator('#result .verdict:not(.last)');
  await page.evaluate(() => document.querySelector('#result .verdict')?.classList.add('last'));
  await act();
  await next.waitFor({ timeout: 30_000 }).catch(async () => {
    if (!await next.count() && !await page.locator('#diagnosis[aria-busy]').count()) await act();
    await next.waitFor();
  }).catch(async (e) => {
    const shown = (await page.locator('#diagnosis').innerText()).replaceAll('\n', ' ');
    throw new Error(`the page shows: ${shown}\n${e.message}`);
  });
  return { verdict: await page.locator('#result .verdict').getAttribute('data-verdict'), codes: await page.locator('.finding code').allTextContents() };
}

await check('the doctor names each mistake that the page can make', async () => {
  const page = await open(`${BASE}/sandbox/doctor`);
  await page.click('#key .run');
  await page.locator('#key-shown .badge').waitFor();
  assert((await page.inputValue('#keyId')).startsWith('sandbox-'), 'the key has no mark');
  const all = await page.locator('#mistake option').evaluateAll((options) => options.map((o) => o.value));
  assert(all.length >= 25, `only ${all.length} mistakes`);
  for (const code of all) {
    await page.selectOption('#mistake', code);
    const { codes } = await diagnosed(page, () => page.click('#make'));
    assert(codes.includes(code), `${code}: the doctor says ${codes}`);
  }
  await accessible(page);
});

await check('the doctor has keys of HPKE, and names the mistakes with them', async () => {
  const page = await open(`${BASE}/sandbox/doctor`);
  equal(await page.locator('#algorithm option').allTextContents(), ['RSA-OAEP-256', 'HPKE-X25519', 'HPKE-XWING'], 'algorithms');
  for (const algorithm of ['HPKE-X25519', 'HPKE-XWING']) {
    await page.selectOption('#algorithm', algorithm);
    await page.click('#key .run');
    await page.locator('#key-shown', { hasText: `${algorithm}, ` }).waitFor();
    assert(await page.locator('#key-shown pre').first().textContent().then((t) => /^[A-Za-z0-9+/]+=*$/.test(t)), 'no publicKeyBytes');
    const all = await page.locator('#mistake option').evaluateAll((options) => options.map((o) => o.value));
    assert(all.length >= 10, `only ${all.length} mistakes`);
    for (const code of all) {
      await page.selectOption('#mistake', code);
      const { codes } = await diagnosed(page, () => page.click('#make'));
      assert(codes.includes(code), `${algorithm}, ${code}: the doctor says ${codes}`);
    }
    const keyId = await page.inputValue('#keyId');
    await page.selectOption('#operation', 'setUserPasscode');
    await page.selectOption('#mistake', 'FINE');
    equal((await diagnosed(page, () => page.click('#make'))).codes, ['AAD_OPERATION'], 'a ciphertext for another operation');
    const facts = await page.locator('#result .expected dd').allTextContents();
    equal(facts[2], 'strongroom hpke v1', 'info');
    equal(JSON.parse(facts[3]), `setUserPasscode\n${keyId}\nPASSCODE`, 'AAD');
    await page.selectOption('#operation', '');
  }
  await accessible(page);
});

await check('the doctor asks for a key, and takes an old diagnosis away while it runs', async () => {
  const page = await open(`${BASE}/sandbox/doctor`);
  await page.click('#diagnose');
  equal(await page.evaluate(() => document.activeElement.id), 'keyId', 'what is asked for');
  await page.locator('#result', { hasText: 'Which key is it for?' }).waitFor();
  await page.click('#key .run');
  await page.locator('#key-shown .badge').waitFor();
  await page.selectOption('#mistake', 'TRAILING_NEWLINE');
  equal((await diagnosed(page, () => page.click('#make'))).verdict, 'doubtful', 'a line end');
  equal(await page.locator('.finding .pill').allTextContents(), ['It decrypts, but'], 'its label');
  let release;
  const held = new Promise((go) => { release = go; });
  await page.route('**/sandbox/doctor/diagnose', async (route) => { await held; await route.continue(); });
  await page.focus('#diagnose');
  await page.keyboard.press('Enter');
  await page.locator('#diagnosis[aria-busy=true]').waitFor();
  equal(await page.locator('#result').textContent(), 'The doctor is looking at it …', 'what is shown while it runs');
  for (const button of ['#diagnose', '#make', '#key .run']) assert(await page.locator(button).isDisabled(), `${button} can be pressed while it runs`);
  release();
  await page.locator('#result .verdict').waitFor();
  await page.waitForFunction(() => document.activeElement.id === 'diagnose');
  equal(await page.locator('#diagnosis[aria-busy], button:disabled').count(), 0, 'what is still busy');
});

await check('the doctor names the mistakes of other programs', async () => {
  const page = await open(`${BASE}/sandbox/doctor`);
  for (const c of cases) {
    await page.fill('#keyId', c.keyId);
    await page.fill('#ciphertext', c.ciphertext);
    const { verdict, codes } = await diagnosed(page, () => page.click('#diagnose'));
    equal([verdict, codes], [c.verdict, c.codes ?? []], c.name);
  }
});

await check('hostile text in every field stays text', async () => {
  const hostile = ['"><img src=x onerror=alert(1)>', '<script>alert(1)</script>', "';alert(1)//", '{{constructor.constructor("alert(1)")()}}', '\u202e\u0000\u2028${alert(1)}', '__proto__'];
  const page = await open(`${BASE}/sandbox/?x=${encodeURIComponent(hostile[0])}#${encodeURIComponent(hostile[0])}`);
  for (const field of ['deviceId', 'appVersion', 'secret', 'guess', 'hours']) await page.fill(`#${field}`, `${hostile[0]}${hostile[1]}`);
  await page.locator('#deviceId').blur();
  for (const step of ['issue', 'set', 'verify', 'wrong', 'rotate', 'metrics']) {
    const run = page.locator(`#${step} .run`);
    if (await run.isDisabled()) continue;
    await run.click();
    await page.locator(`#${step} .headline`).waitFor();
  }
  equal(await page.locator('img:not([src^="/sandbox/assets/"]), main script').count(), 0, 'elements that somebody typed');
  await page.goto(`${BASE}/sandbox/doctor`);
  for (const text of hostile) {
    await page.fill('#keyId', text);
    await page.fill('#ciphertext', text);
    equal((await diagnosed(page, () => page.click('#diagnose'))).verdict, 'unknown', text);
  }
  await page.click('#key .run');
  await page.locator('#key-shown .badge').waitFor();
  for (const text of hostile) {
    await page.fill('#ciphertext', text);
    equal((await diagnosed(page, () => page.click('#diagnose'))).verdict, 'refused', text.slice(0, 40));
  }
  equal(await page.locator('img:not([src^="/sandbox/assets/"]), main script').count(), 0, 'elements that somebody typed');
});

await check('behind a gateway, with its token and an account', async () => {
  const page = await open(`${GATEWAY}/sandbox/`);
  await page.click('#issue .run');
  await page.locator('#issue .headline', { hasText: 'UNAUTHENTICATED' }).waitFor();
  refused(page, 1);
  await page.fill('#token', TOKEN);
  for (const account of ['Łukasz', 'Jürgen']) {
    await page.fill('#account', account);
    await page.click('#issue .run');
    await page.locator('#issue .headline.good').waitFor();
    await page.locator('#issue .outcome').evaluate((e) => e.replaceChildren());
  }
  await page.getByText('The answer says in extensions.attemptsLeft how many attempts are left').waitFor();
  await page.click('#run-all');
  await told(page);
  equal(await pills(page, 'lock'), ['false', 'false', 'CREDENTIAL_LOCKED'], 'lock'); // a device has three guesses of its account's five
  await accessible(page);
  await page.goto(`${GATEWAY}/sandbox/pay`);
  await page.fill('#token', TOKEN);
  await paid(page, '');
  await page.goto(`${GATEWAY}/sandbox/doctor`);
  await page.fill('#token', TOKEN);
  await page.click('#key .run');
  await page.locator('#key-shown .badge').waitFor();
  await page.goto(`${GATEWAY}/graphql`); // whose tokens may be missing where there is a client certificate
  await shows(page, 'UNAUTHENTICATED');
  refused(page, 2); // it asks for a smaller schema then
  await headers(page, { Authorization: `Bearer ${TOKEN}`, 'Strongroom-Account': 'sandbox-user' });
  await page.locator('.graphiql-execute-button').click();
  await shows(page, '"keyId"');
});

await check('with tokens of an identity provider', async () => {
  const page = await open(`${JWT}/sandbox/`);
  for (const token of ['', '“pasted with quotes”']) {
    await page.fill('#token', token);
    await page.locator('#issue .outcome').evaluate((e) => e.replaceChildren());
    await page.click('#issue .run');
    await page.locator('#issue .headline', { hasText: 'UNAUTHENTICATED' }).waitFor();
    refused(page, 1);
  }
  await page.fill('#token', BEARER);
  await page.click('#run-all');
  await told(page);
  equal(await pills(page, 'lock'), ['false', 'false', 'CREDENTIAL_LOCKED'], 'lock');
  await accessible(page);
  await page.goto(`${JWT}/sandbox/pay`);
  await page.fill('#token', BEARER);
  await paid(page, BACKEND_BEARER);
  await page.goto(`${JWT}/sandbox/doctor`);
  await page.click('#key .run');
  await page.locator('#key .headline', { hasText: 'A bearer token is needed' }).waitFor();
  refused(page, 1);
  await page.fill('#token', BEARER);
  await page.click('#key .run');
  await page.locator('#key-shown .badge').waitFor();
});

await check('GraphiQL takes a bearer token once for all tabs', async () => {
  const page = await open(`${JWT}/graphql`);
  await shows(page, 'knows its callers by a bearer token'); // asked for the schema
  await headers(page, { Authorization: `Bearer ${BEARER}` });
  await page.locator('.graphiql-execute-button').click();
  await shows(page, '"keyId"');
  await choose(page, 'SetPin');
  await page.locator('.graphiql-execute-button').click();
  await shows(page, '"setTransactionPin": true');
  await page.locator('[aria-label="Re-fetch GraphQL schema"]').click();
  await page.locator('.graphiql-sidebar button').first().click();
  await page.locator('.graphiql-doc-explorer', { hasText: 'Mutation' }).waitFor();
});

/** A page on a phone in the light and on a wide screen in the dark; for screenshots, in every size of both. */
async function looks(page, name, options) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of SHOTS ? [390, 1280, 1920] : { light: [390], dark: [1920] }[colorScheme]) {
      await presentable(page, width, colorScheme, options);
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: name !== 'graphiql' });
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
}

await check('on a phone and a wide screen, in light and dark', async () => {
  const page = await open(`${BASE}/sandbox/`, { viewport: { width: 390, height: 844 } });
  if (SHOTS) await looks(page, 'client-begin');
  await page.click('#run-all');
  await told(page);
  await looks(page, 'client');
  await page.goto(`${BASE}/sandbox/pay`);
  await paid(page, BACKEND);
  await looks(page, 'pay');
  await page.goto(`${BASE}/sandbox/doctor`);
  for (const c of cases.filter((x) => ['PKCS #1 v1.5 by openssl', 'SHA-1 by openssl, with a line end'].includes(x.name))) await examine(page, c.ciphertext, c.keyId);
  await looks(page, 'doctor');
  await page.selectOption('#algorithm', 'HPKE-XWING');
  await page.click('#key .run');
  await page.locator('#key-shown', { hasText: 'HPKE-XWING, ' }).waitFor();
  await page.selectOption('#mistake', 'AAD_OPERATION');
  await diagnosed(page, () => page.click('#make'));
  await looks(page, 'doctor-hpke');
  await page.goto(`${BASE}/graphql`);
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.graphiql-response', { hasText: 'keyId' }).waitFor();
  await looks(page, 'graphiql', graphiql);
});

await end();
