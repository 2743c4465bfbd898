// Drives the operator console in a real browser, in parts: "story" on a whole
// service, "tampered" on one whose trail was edited, "jwt" on one whose
// accounts are of identity providers, and have the names of PLACES. Told by the
// environment, beside what visit.mjs is told: BASE (address of the operator
// side), API (of the public one), TOKEN and VIEWER (admin tokens), KNOWN (JSON:
// what is in the store), SEQ (number of the edited entry), EXPORTED (where the
// file of an export goes).
import { createServer } from 'node:http';
import { SHOTS, accessible, assert, check, end, equal, fits, presentable, visitor as anybody } from './visit.mjs';

const { BASE, API, TOKEN, VIEWER, SEQ, EXPORTED } = process.env;
const known = JSON.parse(process.env.KNOWN);

const visitor = (options) => anybody([BASE], options);

async function signIn(page, token = TOKEN) {
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Somebody who has signed in. */
async function operator(options = {}, token = TOKEN) {
  const context = await visitor(options);
  const answer = await context.request.post(`${BASE}/signin`, { form: { token }, maxRedirects: 0 });
  equal(answer.status(), 303, 'sign-in');
  return context.newPage();
}

/** Another site, at every address of this machine. */
async function serve(html) {
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html));
  await new Promise((up) => server.listen(0, up));
  return server;
}

/** Goes where an act leads, and sends its form. */
async function act(page, fields, button) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const device = (page, id) => page.goto(`${BASE}/search?${new URLSearchParams({ q: id })}`);

async function pages(page) {
  await page.goto(`${BASE}/search?q=ios-locked-e41b77c0`);
  const one = page.url();
  await page.locator('.facts a').first().click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  const account = new URL(page.url()).pathname;
  await page.goto(`${BASE}/search?q=ios-bound-5a20`);
  const bound = page.url();
  await page.locator('.facts a').first().click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  const payer = new URL(page.url()).pathname;
  return { bound: bound.replace(BASE, ''), payer, overview: '/', devices: '/devices', device: one.replace(BASE, ''), accounts: '/accounts', account, locks: '/locks', rotation: '/rotation', audit: '/audit', events: '/events', posture: '/posture' };
}

async function story() {
  await check('without a session every path leads to the sign-in', async () => {
    const context = await visitor();
    const page = await context.newPage();
    for (const path of ['/', '/devices', '/no-such-page', '/accounts/aaaaaaaaaaaaaaaaaaaaaaaaaa/erase', '/assets/charts.js', '/live/overview']) {
      await page.goto(BASE + path);
      equal(new URL(page.url()).pathname, '/signin', path);
    }
    await accessible(page);
    for (const path of ['/', '/devices', '/no-such-page', '/live/overview', '//evil.example', '/signout']) {
      for (const method of ['GET', 'POST', 'PUT']) equal((await fetch(BASE + path, { method, redirect: 'manual' })).status, 401, `${method} ${path} by a program`);
    }
  });

  await check('a link of an alert opens its section of the runbook after the sign-in, and the search finds others', async () => {
    const page = await (await visitor()).newPage();
    await page.goto(`${BASE}/docs/runbook.html#strongroomstoredown`);
    await signIn(page);
    await page.waitForURL(`${BASE}/docs/runbook.html#strongroomstoredown`);
    assert(await page.getByRole('heading', { name: 'StrongroomStoreDown' }).evaluate((h) => h.getBoundingClientRect().top < 100), 'the section is not in view');
    await page.getByLabel('Search the documentation').fill('root key rotate');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Rotate root keys and data keys: Rotate the root key' }).click();
    await page.waitForURL(`${BASE}/docs/how-to/rotate-keys.html#rotate-the-root-key`);
    await accessible(page);
  });

  await check('a wrong token is refused in words, and a deep link survives the sign-in', async () => {
    const context = await visitor({ refusals: true });
    const page = await context.newPage();
    await page.goto(`${BASE}/devices?q=ios-`);
    await signIn(page, 'not a token');
    await page.getByRole('alert').getByText('not an admin token').waitFor();
    assert(/[a-z2-7]{26}/.test(await page.getByRole('alert').innerText()), 'no request id');
    await accessible(page);
    await signIn(page);
    await page.waitForURL(`${BASE}/devices?q=ios-`);
    await page.getByRole('link', { name: 'ios-1f0c9a4e-77b2' }).waitFor();
    const [cookie] = await context.cookies();
    equal([cookie.httpOnly, cookie.sameSite, cookie.path, cookie.expires], [true, 'Strict', '/', -1], 'the cookie');
  });

  await check('a sign-in leads nowhere else', async () => {
    for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '/%09/evil.example', '/./..//evil.example']) {
      const answer = await fetch(`${BASE}/signin`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ token: TOKEN, next }) });
      equal(answer.status, 303, next);
      const to = answer.headers.get('location');
      assert(new URL(to, BASE).origin === BASE, `${next} leads to ${to}`);
    }
  });

  await check('a link from another site opens, with the session that is there', async () => {
    const page = await operator();
    const other = await serve(`<a href="${BASE}/locks">look</a>`);
    const site = `http://localhost:${other.address().port}`;
    page.context().origins.push(site);
    await page.goto(site);
    await page.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Locks' }).waitFor();
    other.close();
  });

  await check('every page, without a serious finding', async () => {
    const page = await operator();
    for (const [name, path] of Object.entries(await pages(page))) {
      await page.goto(BASE + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await fits(page);
      await accessible(page);
      equal(await page.locator('nav[aria-label=Console] [aria-current=page]').count(), 1, `current section of ${name}`);
    }
  });

  await check('every page can be read without script', async () => {
    const page = await operator({ javaScriptEnabled: false });
    const want = { '/': 'Success rate', '/devices': 'android-8c14e2f7-51bd', '/accounts': 'web-3d5f8a90-be17', '/locks': 'ios-locked-e41b77c0', '/rotation': 'No plan runs', '/audit': 'Is the trail intact?', '/events': 'dead letters', '/posture': 'known-callers' };
    for (const [path, text] of Object.entries(want)) {
      await page.goto(BASE + path);
      await page.getByText(text).first().waitFor();
    }
    await page.goto(BASE);
    assert((await page.locator('.chart path.all').getAttribute('d')).length > 10, 'no chart is drawn');
    for (const line of ['p95', 'p99']) assert((await page.locator(`.chart path.${line}`).getAttribute('d')).length > 10, `no line of ${line} is drawn`);
    await page.goto(`${BASE}/rotation/start`);
    await page.getByLabel('Reason').fill('looked at first');
    await page.getByLabel('Algorithm').selectOption('RSA-OAEP-256');
    await page.getByLabel('Size of RSA keys').selectOption('2048');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('status').getByText(/^1\d active keys would be selected: RSA-OAEP-256, 2048 bits/).waitFor();
    equal([await page.getByLabel('Reason').inputValue(), await page.getByLabel('Size of RSA keys').inputValue(), await page.getByLabel('Algorithm').inputValue()], ['looked at first', '2048', 'RSA-OAEP-256'], 'what was typed');
    await page.goto(`${BASE}/audit`);
    await page.getByLabel('Event').selectOption('credential.locked');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForLoadState(); // count() does not wait for the page
    equal(await page.locator('.trail tbody tr:not(.more)').count(), 3, 'locks in the trail');
  });

  await check('everything can be done without script', async () => {
    const context = await visitor({ javaScriptEnabled: false, refusals: true });
    const page = await context.newPage();
    const done = (text) => page.getByRole('status').getByText(text).waitFor();
    await page.goto(`${BASE}/locks`);
    await signIn(page, 'wrong');
    await page.getByRole('alert').getByText('not an admin token').waitFor();
    await signIn(page);
    await page.waitForURL(`${BASE}/locks`);
    await page.getByRole('row', { name: /ios-plain-77/ }).getByRole('link', { name: 'Unlock…' }).click();
    await act(page, { Reason: 'without script' }, 'Unlock');
    await done('The transaction PIN was unlocked.');
    const id = known.keys['ios-plain-77'];
    await device(page, id);
    await page.getByRole('link', { name: 'Revoke…' }).click();
    await act(page, { Reason: 'without script', confirm: 'wrong' }, 'Revoke key');
    await page.getByRole('alert').getByText('nothing was done').waitFor();
    await act(page, { confirm: id.slice(-6) }, 'Revoke key');
    await done('The key was revoked.');
    await page.locator('.facts a').first().click();
    await page.getByRole('link', { name: 'Erase…' }).click();
    const [, account] = page.url().match(/accounts\/(.*)\/erase/);
    await act(page, { Reason: 'without script', confirm: account.slice(-6) }, 'Erase account');
    await done('The account was erased.');
    await page.goto(`${BASE}/rotation`);
    await page.getByRole('link', { name: 'Start a plan…' }).click();
    await act(page, { Reason: 'without script', confirm: 'rotate' }, 'Start rotation');
    await done('The rotation plan was started.');
    await page.getByText(/\d+ of \d+ keys replaced/).waitFor();
    await page.getByRole('link', { name: 'Stop…' }).click();
    await act(page, { Reason: 'without script' }, 'Stop rotation');
    await done('The rotation plan was stopped.');
    await page.goto(`${BASE}/events`);
    await page.getByRole('link', { name: 'Resend…' }).first().click();
    await act(page, { Reason: 'without script' }, 'Send again');
    await done('queued to be sent again');
    await page.goto(`${BASE}/events`);
    await page.getByLabel('Type of event').selectOption('credential.locked');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('link', { name: 'Resend all…' }).click();
    await page.locator('.facts').getByText('credential.locked').waitFor();
    await act(page, { Reason: 'without script' }, 'Send all again');
    await done(/^\d events? waits? to be sent again\.$/);
    await page.goto(`${BASE}/audit`);
    await page.getByRole('button', { name: 'Check the whole trail' }).click();
    const whole = page.getByText(/^Intact: [\d,]+ entries/);
    while (!await whole.isVisible()) await page.getByRole('link', { name: 'Reload' }).or(whole).first().click(); // of a check that goes on
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    await page.goto(`${BASE}/audit`);
    await page.getByLabel('Admin token').waitFor();
  });

  await check('the overview keeps itself up to date', async () => {
    const page = await operator();
    await page.clock.install();
    await page.goto(BASE);
    const before = await page.locator('#t-operations [data-value]').innerText();
    const mutation = 'mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId } }';
    const asked = await fetch(`${API}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: mutation, variables: { input: { deviceId: 'ios-1f0c9a4e-77b2' } } }) });
    equal(asked.status, 200, 'the operation');
    // The page asks every ten seconds, which pass at once here; the service counts what it did a second later.
    for (let n = 0; n < 20 && await page.locator('#t-operations [data-value]').innerText() === before; n += 1) {
      const answered = page.waitForResponse((r) => r.url().includes('/live/overview'));
      await page.clock.runFor(10_000);
      await (await answered).finished();
      await new Promise((soon) => setTimeout(soon, 200));
    }
    assert(await page.locator('#t-operations [data-value]').innerText() !== before, 'the operation was not shown');
    await page.locator('.uplot canvas').first().waitFor();
    assert(/^p95\s.+s · p99\s.+s$/.test(await page.locator('#t-took [data-note]').innerText()), 'no percentiles of the window');
    if (!SHOTS) await page.locator('[data-known]').getByText(/^Of \d+ of the 1,[\d,]+ operations. An earlier version/).waitFor();
    await page.getByRole('img', { name: 'Percentiles of the duration' }).hover();
    await page.locator('.tip', { hasText: /^(?!.*operations).*(none|not known|p50 .+, p95 .+, p99 .+ms)/ }).waitFor();
    await page.getByRole('link', { name: '1 h', exact: true }).click();
    await page.locator('.segments [aria-current]', { hasText: '1 h' }).waitFor();
    equal(await page.locator('[data-known]').isVisible(), false, 'a note in a window of which all is known');
  });

  await check('the overview gets its charts with the first operation, and shows when the server hangs', async () => {
    const page = await operator();
    await page.clock.install();
    await page.goto(BASE);
    await page.evaluate(() => document.querySelector('.charts').remove()); // as before the first operation
    await page.clock.runFor(10_000);
    await page.locator('[data-chart]').first().waitFor();
    await page.route('**/live/overview*', () => {}); // no answer
    await page.clock.runFor(10_000);
    await page.getByText('The service did not answer. The values below are older.').waitFor(); // after 8 s, which the page's clock does not measure
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  await check('search finds devices, keys, accounts and requests', async () => {
    const page = await operator({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(BASE);
    await page.keyboard.press('/');
    await page.keyboard.type('android-');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'android-90ab3e6d-c2f4' }).click();
    await page.getByRole('heading', { level: 1, name: 'android-90ab3e6d-c2f4' }).waitFor();
    const id = known.keys['ios-5e71c0aa-93fd'];
    await device(page, id);
    await page.getByRole('heading', { level: 1, name: 'ios-5e71c0aa-93fd' }).waitFor();
    await page.getByRole('button', { name: `Copy ${id}` }).click();
    equal(await page.evaluate(() => navigator.clipboard.readText()), id, 'what was copied');
    await page.locator('.facts a').first().click();
    const account = new URL(page.url()).pathname.split('/').pop();
    await device(page, account);
    equal(new URL(page.url()).pathname, `/accounts/${account}`, 'an account by its id');
    await page.locator('.trail a[href^="/audit?requestId"]').first().click();
    await page.waitForLoadState(); // count() does not wait for the page
    assert(await page.locator('.trail tbody tr').count() > 0, 'no entry of the request');
    await device(page, 'nobody-has-this');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
  });

  for (const javaScriptEnabled of [true, false]) {
    await check(`times are in UTC, and the filter takes them, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await operator({ javaScriptEnabled });
      await page.goto(`${BASE}/audit?event=credential.set`);
      const time = page.locator('.trail time').last();
      const at = new Date(await time.getAttribute('datetime'));
      const utc = at.toISOString();
      const shown = await time.textContent();
      equal(shown, `${utc.slice(0, 19).replace('T', ' ')}Z`, 'the time of an entry');
      const title = await time.getAttribute('title');
      assert(title.startsWith(`${utc.slice(0, 23).replace('T', ' ')} UTC`), `its title is ${title}`);
      const here = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Zurich', hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at);
      equal(title.includes(`your time: `) && title.includes(here), javaScriptEnabled, `the viewer’s time in ${title}`);
      const seq = (await page.locator('.trail tbody tr:not(.more)').last().locator('td').last().innerText()).replace(/\D/g, '');
      const ahead = new Date(Math.floor(at / 1000) * 1000 + 2 * 3600e3).toISOString().slice(0, 19); // two hours east
      for (const text of [shown, `${ahead}+02:00`, title.split(' · ')[0]]) {
        await page.getByLabel('From').fill(text);
        await page.locator('#to').fill(text);
        await page.getByRole('button', { name: 'Filter' }).click();
        await page.waitForURL((url) => url.searchParams.get('from') === text);
        const rows = await page.locator('.trail tbody tr:not(.more)').allInnerTexts();
        assert(rows.some((row) => row.replaceAll(',', '').includes(seq)), `${text} does not find entry ${seq}: ${rows}`);
        assert((await page.getByLabel('From').inputValue()).startsWith(shown.slice(0, 19)), 'the field is not in UTC');
      }
      if (javaScriptEnabled) await accessible(page);
    });
  }

  await check('what clients and operators chose is text', async () => {
    const page = await operator();
    await page.goto(`${BASE}/devices`);
    await page.getByRole('link', { name: known.device }).click();
    await page.getByRole('heading', { level: 1 }).getByText(known.device).waitFor();
    await page.getByText(known.app).first().waitFor();
    await page.goto(`${BASE}/audit?event=key.revoked`);
    await page.getByText(known.reason).waitFor();
    await page.goto(`${BASE}/devices?${new URLSearchParams({ q: '"><script>alert(4)</script>' })}`);
    await page.goto(`${BASE}/search?${new URLSearchParams({ q: '</title><script>alert(5)</script>' })}`);
    await page.goto(`${BASE}/devices?q=phone-`);
    await page.getByText('phone-\\u202etxt.exe').waitFor();
    equal(await page.evaluate(() => document.title), 'Devices · Strongroom', 'title');
  });

  await check('unlock', async () => {
    const page = await operator();
    await page.goto(`${BASE}/locks`);
    await page.getByRole('row', { name: /ios-locked-e41b77c0/ }).getByRole('link', { name: 'Unlock…' }).click();
    await accessible(page);
    await act(page, { Reason: known.reason }, 'Unlock');
    await page.getByRole('status').getByText('The transaction PIN was unlocked.').waitFor();
    await page.getByText(known.reason).waitFor();
    await page.locator('.trail').getByText('attempts.unlocked').first().waitFor();
    await page.goto(`${BASE}/locks`);
    equal(await page.getByRole('row', { name: /ios-locked/ }).count(), 0, 'locks left');
  });

  for (const javaScriptEnabled of [true, false]) {
    await check(`binding, status and receipts of a device and its account, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await operator({ javaScriptEnabled });
      const section = (name) => page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
      const cell = (row, name) => row.locator(`[data-label="${name}"]`).innerText();
      await device(page, known.keys['ios-1f0c9a4e-77b2']);
      equal(await cell(section('Keys').locator('tbody tr'), 'Bound to'), 'not bound', 'a key without a binding');
      await section('Receipts').getByText('The trail has no receipts.').waitFor();
      await device(page, known.keys['ios-bound-5a20']);
      for (const table of ['Keys', 'Devices']) {
        const bound = section(table).locator('[data-label="Bound to"] code');
        equal(await bound.innerText(), `${known.jkt.slice(0, 8)}…`, `the thumbprint among ${table}`);
        assert((await bound.getAttribute('title')).endsWith(known.jkt), 'the whole thumbprint');
        const pin = section('Credentials').getByRole('row', { name: 'Transaction PIN' });
        equal([await cell(pin, 'State'), await cell(pin, 'Attempts left'), await cell(pin, 'Locked'), await cell(pin, 'Must change')], ['set', '5', 'no', 'no'], 'the status');
        const [paid, used] = await section('Receipts').locator('tbody tr').all();
        equal([await cell(paid, 'Credential'), await cell(paid, 'Redeemed')], ['Transaction PIN', 'no'], 'the newest receipt');
        assert(/Z$/.test(await cell(used, 'Redeemed')), 'the first receipt was redeemed');
        if (javaScriptEnabled) await accessible(page);
        if (table === 'Keys') await page.locator('.facts a').first().click();
      }
      await section('Receipts').getByRole('link', { name: 'all issued' }).click();
      await page.locator('.trail tbody tr:not(.more)').first().waitFor(); // count() does not wait for the page
      equal(await page.locator('.trail tbody tr:not(.more)').count(), 2, 'receipts in the trail');
    });
  }

  await check('unbind', async () => {
    const page = await operator();
    await device(page, known.keys['web-bound-77']);
    await page.getByRole('link', { name: 'Unbind…' }).click();
    await act(page, { Reason: 'a new phone' }, 'Unbind key');
    await page.getByRole('status').getByText('The key was unbound.').waitFor();
    await page.locator('[data-label="Bound to"]').getByText('not bound').waitFor();
  });

  for (const javaScriptEnabled of [true, false]) {
    await check(`an account is exported as a file, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
      const page = await operator({ javaScriptEnabled });
      await device(page, 'ios-bound-5a20');
      await page.locator('.facts a').first().click();
      await page.getByRole('link', { name: 'Export…' }).click();
      if (javaScriptEnabled) await accessible(page);
      const id = page.url().split('/').at(-2);
      for (const time of ['first', 'second']) { // the page stays
        const started = page.waitForEvent('download');
        await act(page, { Reason: 'she asked' }, 'Export');
        const file = await started;
        equal(file.suggestedFilename(), `strongroom-account-${id}.json`, `the name of the ${time} file`);
        await file.saveAs(EXPORTED);
      }
      await page.getByRole('link', { name: 'Back', exact: true }).last().click();
      await page.locator('.trail').getByText('account.exported').first().waitFor();
      equal(await page.locator('.trail').getByText('account.exported').count(), javaScriptEnabled ? 1 : 2, 'entries of exports');
    });
  }

  await check('revoke, once the end of the id is typed', async () => {
    const page = await operator({ refusals: true });
    const id = known.keys['android-8c14e2f7-51bd'];
    await device(page, id);
    await page.getByRole('link', { name: 'Revoke…' }).click();
    await act(page, { Reason: 'phone was stolen', confirm: 'wrong' }, 'Revoke key');
    await page.getByRole('alert').getByText('nothing was done').waitFor();
    equal(await page.getByLabel('Reason').inputValue(), 'phone was stolen', 'the reason is kept');
    await accessible(page);
    await act(page, { confirm: id.slice(-6) }, 'Revoke key');
    await page.getByRole('status').getByText('The key was revoked.').waitFor();
    await page.locator(`[id="${id}"]`).getByText('revoked').waitFor();
  });

  await check('a form that is sent twice acts once', async () => {
    const page = await operator();
    await device(page, known.keys['android-c07d1b52-8e9a']);
    await page.getByRole('link', { name: 'Revoke…' }).click();
    const form = { once: await page.locator('[name=once]').inputValue(), reason: 'twice', confirm: known.keys['android-c07d1b52-8e9a'].slice(-6) };
    const headers = { origin: BASE, accept: 'text/html' };
    const both = await Promise.all([1, 2].map(() => page.request.post(page.url(), { form, headers, maxRedirects: 0 })));
    const to = both.map((a) => [a.status(), a.headers().location]);
    equal(to[0], to[1], 'both answers');
    equal(to[0][0], 303, 'status');
    await page.goto(BASE + to[0][1]);
    await page.getByText('the change was made once').waitFor();
    await page.goto(`${BASE}/audit?event=key.revoked&keyId=${known.keys['android-c07d1b52-8e9a']}`);
    equal(await page.locator('.trail tbody tr:not(.more)').count(), 1, 'entries');
    const again = await page.request.post(`${BASE}/keys/${known.keys['android-c07d1b52-8e9a']}/revoke`, { form: { ...form, reason: 'another' }, headers, maxRedirects: 0 });
    equal(again.status(), 400, 'the same form with another reason');
  });

  await check('erase', async () => {
    const page = await operator();
    await page.goto(`${BASE}/search?q=web-3d5f8a90-be17`);
    await page.locator('.facts a').first().click();
    const id = new URL((await page.getByRole('link', { name: 'Erase…' }).getAttribute('href')), BASE).pathname.split('/')[2];
    await page.getByRole('link', { name: 'Erase…' }).click();
    await accessible(page);
    await act(page, { Reason: 'contract ended', confirm: id.slice(-6) }, 'Erase account');
    await page.getByRole('status').getByText('The account was erased.').waitFor();
    await page.getByRole('link', { name: 'see it in the trail' }).click();
    await page.locator('.trail').getByText('account.erased').first().waitFor();
    await page.goto(`${BASE}/search?q=web-3d5f8a90-be17`);
    await page.getByText('Nothing').first().waitFor();
    await accessible(page);
    await page.goto(`${BASE}/search?q=${id}`);
    await page.locator('.trail').getByText('account.erased').first().waitFor();
    page.context().refusals = true;
    await page.goto(`${BASE}/accounts/${id}`);
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await accessible(page);
  });

  await check('a rotation plan is started, watched and stopped', async () => {
    const page = await operator({ refusals: true });
    await page.goto(`${BASE}/rotation`);
    await page.getByRole('link', { name: 'Start a plan…' }).click();
    await accessible(page);
    await act(page, { 'Keys older than, in days': 'soon', Reason: 'yearly', confirm: 'rotate' }, 'Start rotation');
    await page.getByRole('alert').getByText('in days: must be').waitFor();
    await act(page, { 'Keys older than, in days': '30' }, 'Preview');
    await page.getByRole('status').getByText(/^No active key.* was created before/).waitFor();
    equal(await page.getByLabel('Reason').inputValue(), 'yearly', 'the reason is kept');
    await accessible(page);
    await act(page, { 'Keys older than, in days': '', confirm: 'rotate' }, 'Start rotation');
    await page.getByRole('status').getByText('The rotation plan was started.').waitFor();
    await page.getByText('keys replaced').waitFor();
    await accessible(page);
    await page.getByRole('link', { name: 'Stop…' }).click();
    await act(page, { Reason: 'tried out' }, 'Stop rotation');
    await page.getByText('The rotation plan was stopped.').waitFor();
    await page.getByRole('heading', { name: 'No plan runs' }).waitFor();
  });

  await check('an event that was set aside is sent again', async () => {
    const page = await operator();
    await page.goto(`${BASE}/events`);
    await page.getByRole('link', { name: 'Resend…' }).first().click();
    await act(page, { Reason: 'the receiver is mended' }, 'Send again');
    await page.getByRole('status').getByText('queued to be sent again').waitFor();
  });

  await check('the overview leads to the events that were set aside, and all are sent again at once', async () => {
    const page = await operator();
    await page.goto(BASE);
    await page.locator('#t-events.warn').waitFor();
    await page.getByRole('link', { name: 'Dead letters' }).click();
    await page.getByRole('link', { name: 'Resend all…' }).click();
    await accessible(page);
    await act(page, { Reason: 'the receiver is mended' }, 'Send all again');
    await page.getByRole('status').getByText('to be sent again.').waitFor();
    await page.getByRole('link', { name: 'see it in the trail' }).click();
    await page.locator('.trail').getByText('webhook.resent').first().waitFor();
  });

  await check('the trail is whole', async () => {
    const page = await operator();
    await page.goto(`${BASE}/audit`);
    await page.getByRole('button', { name: /^Check (the whole trail|again)$/ }).click();
    await page.getByText(/^Intact: [\d,]+ entries, and [\d,]+ records/).waitFor();
    await accessible(page);
  });

  await check('a viewer sees no forms, and is refused', async () => {
    const page = await operator({ refusals: true }, VIEWER);
    for (const path of Object.values(await pages(page))) {
      await page.goto(BASE + path);
      equal(await page.locator('main form[method=post], main a[href$="/erase"], main a[href*="/unlock/"], main a[href*="/must-change/"], main a[href$="/export"], main a[href$="/unbind"], main a[href$="/revoke"], main a[href$="/resend"], main a[href="/rotation/start"]').count(), 0, `acts at ${path}`);
    }
    const key = known.keys['ios-1f0c9a4e-77b2'];
    for (const path of [`/keys/${key}/revoke`, '/rotation/start', '/audit/check']) {
      const answer = await page.request.post(BASE + path, { form: { once: 'aaaaaaaaaaaaaaaaaaaaaaaaaa', reason: 'r', confirm: key.slice(-6) }, headers: { origin: BASE } });
      equal(answer.status(), 403, path);
    }
    await page.goto(`${BASE}/keys/${key}/revoke`);
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  });

  await check('a page of another origin changes nothing', async () => {
    const page = await operator({ refusals: true });
    const key = known.keys['ios-2b9d33c8-0a41'];
    const fields = `<input name=once value=aaaaaaaaaaaaaaaaaaaaaaaaaa><input name=reason value=forged><input name=confirm value=${key.slice(-6)}>`;
    const evil = await serve(`<form method=post action="${BASE}/keys/${key}/revoke">${fields}<button>go</button></form>`);
    for (const host of ['127.0.0.1', 'localhost']) { // of the same site, whose cookies are sent, and of another
      const site = `http://${host}:${evil.address().port}`;
      page.context().origins.push(site);
      await page.goto(site);
      const [answer] = await Promise.all([page.waitForResponse((r) => r.url().includes('/revoke')), page.getByRole('button').click()]);
      equal(answer.status(), 403, host);
    }
    evil.close();
    await device(page, key);
    await page.locator(`[id="${key}"]`).getByText('active').waitFor();
  });

  await check('nobody frames a page, and paths have no tricks', async () => {
    const page = await operator();
    const [cookie] = await page.context().cookies();
    const headers = { accept: 'text/html', cookie: `${cookie.name}=${cookie.value}` };
    for (const path of ['/../admin.token', '/%2e%2e/admin.token', '//devices', '/devices/', '/assets/../devices', '/assets/style.css', '/accounts/%3Cscript%3E', '/device?account=x&id=y', '/audit?from=never', '/devices?q=%00', '/devices?after=zzz', '/?hours=5']) {
      const answer = await page.request.fetch(BASE + path, { headers, maxRedirects: 0 });
      assert([400, 404].includes(answer.status()) || path === '/assets/../devices', `${path}: ${answer.status()}`);
      assert(answer.headers()['content-security-policy'].includes("frame-ancestors 'none'"), 'no policy');
      assert(!(await answer.text()).includes('<script>'), `${path} repeats what was sent`);
    }
  });

  await check('a cookie that was stolen ends with the sign-out', async () => {
    const page = await operator();
    const [cookie] = await page.context().cookies();
    const headers = { accept: 'text/html', cookie: `${cookie.name}=${cookie.value}` };
    equal((await fetch(`${BASE}/devices`, { headers, redirect: 'manual' })).status, 200, 'before');
    await page.goto(BASE);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin token').waitFor();
    equal((await fetch(`${BASE}/devices`, { headers, redirect: 'manual' })).status, 303, 'after');
    equal((await page.context().cookies()).length, 0, 'cookies left');
    await page.goto(`${BASE}/devices`);
    await page.getByLabel('Admin token').waitFor();
  });

  await check('every page after all acts, on a phone in the light and wide in the dark', async () => {
    const page = await operator();
    for (const path of Object.values(await pages(page))) {
      await page.goto(BASE + path);
      await presentable(page, 390, 'light');
      await presentable(page, 1920, 'dark');
    }
  });

  if (SHOTS) await shots();
}

async function shots() {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [390, 1280, 1920]) {
      const page = await operator({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme });
      const all = { ...await pages(page), overview90: '/?hours=2160', start: '/rotation/start', problem: '/accounts/aaaaaaaaaaaaaaaaaaaaaaaaaa', nothing: '/search?q=nobody-has-this', erased: '/search?q=web-3d5f8a90-be17', locked: '/search?q=android-locked-09d2aa' };
      all.erase = `${all.account}/erase`;
      all.export = `${all.payer}/export`;
      for (const [name, path] of Object.entries(all)) {
        await page.goto(BASE + path);
        await page.waitForTimeout(150);
        const shot = () => page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
        await shot().catch(shot); // Chromium now and then cannot at first
      }
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('Admin token').waitFor();
      await page.screenshot({ path: `${SHOTS}/signin-${width}-${colorScheme}.png` });
      await page.context().close();
    }
  }
}

async function tampered() {
  await check('the check shows where the trail was changed', async () => {
    const page = await operator();
    const overview = await page.context().newPage();
    await overview.clock.install();
    await overview.goto(BASE);
    await page.goto(`${BASE}/audit`);
    await page.getByRole('button', { name: 'Check the whole trail' }).click();
    await page.getByText(/^Changed: /).waitFor();
    await overview.clock.runFor(10_000);
    await overview.locator('#verdict.bad', { hasText: 'The last check found 1 place at which the audit trail was changed' }).waitFor();
    equal(await overview.getByRole('link', { name: 'See Audit' }).getAttribute('href'), '/audit#check', 'where the overview leads');
    await accessible(overview);
    if (SHOTS) await overview.screenshot({ path: `${SHOTS}/edited-1280-light.png` });
    if (SHOTS) await overview.setViewportSize({ width: 390, height: 844 });
    if (SHOTS) await overview.screenshot({ path: `${SHOTS}/edited-390-light.png` });
    const row = page.locator('#check tr.found').first();
    assert((await row.innerText()).includes(Number(SEQ).toLocaleString('en')), `entry ${SEQ} is not named: ${await row.innerText()}`);
    await accessible(page);
    await row.getByRole('link', { name: 'Show in the trail' }).click();
    await page.locator('.trail tr.found', { hasText: 'The trail was changed here' }).first().waitFor();
    const entry = page.locator('.trail tr.found:not(.more)', { has: page.locator('td:last-child', { hasText: new RegExp(`^${Number(SEQ).toLocaleString('en')}$`) }) });
    equal(await entry.count(), 1, 'the entry among those shown');
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/tampered-1280-light.png`, fullPage: true });
  });
}

/** The names are hostile, and accounts are of two issuers. */
async function jwt() {
  const printed = (text) => [...text].map((c) => (/\p{Cf}/u.test(c) ? `\\u${c.codePointAt(0).toString(16).padStart(4, '0')}` : c)).join('');
  const other = `${BASE}/accounts?${new URLSearchParams({ issuer: known.issuers[1] })}`;

  /** From what a search found to the first device. */
  const deviceFound = async (page) => {
    const { pathname } = new URL(page.url());
    if (pathname === '/search') await page.locator('section', { has: page.getByRole('heading', { name: 'Devices' }) }).locator('tbody th a').first().click();
    if (pathname === '/devices') await page.locator('tbody th a').first().click();
    if (pathname !== '/device') await page.waitForURL('**/device?**');
  };

  await check('a search finds accounts and devices by their names', async () => {
    const page = await operator();
    await page.goto(`${BASE}/search?${new URLSearchParams({ q: known.texts[1].slice(0, 3) })}`);
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await fits(page);
    await accessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/found-1280-light.png`, fullPage: true });
  });

  await check('accounts are found by issuer and name', async () => {
    const page = await operator();
    await page.goto(`${BASE}/accounts`);
    const all = await page.locator('tbody tr').count();
    assert(all >= known.texts.length, `${all} accounts`);
    await page.getByLabel('Name begins with').fill(known.texts[1].slice(0, 3));
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.waitForLoadState(); // count() does not wait for the page
    assert(await page.locator('tbody tr').count() >= 1, 'no account is found by the begin of its name');
    await accessible(page);
    await page.getByLabel('Issuer').fill(known.issuers[1]);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.waitForLoadState(); // count() does not wait for the page
    equal(await page.locator('tbody tr').count(), 1, 'of that issuer and name');
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.getByRole('link', { name: known.issuers[1] }).first().click();
    await page.waitForURL((url) => url.searchParams.has('issuer')); // count() does not wait for the page
    equal(page.url().toLowerCase(), other.toLowerCase(), 'the issuer of an account leads to all of its accounts');
    const [some, issuers] = [await page.locator('tbody tr').count(), await page.locator('td[data-label=Issuer]').allTextContents()];
    assert(some > 1 && some < all && issuers.every((i) => i === known.issuers[1]), `${some} of ${all}: ${issuers}`);
    await accessible(page);
  });

  await check('each account and its device by its name, whatever that is', async () => {
    const page = await operator();
    for (const text of known.texts.slice(0, 7)) {
      await page.goto(`${BASE}/search?${new URLSearchParams({ q: text })}`);
      await deviceFound(page);
      await page.getByRole('heading', { level: 1 }).waitFor();
      equal(await page.locator('h1 bdi').textContent(), printed(text), 'the device');
      await page.locator('.facts a').first().click();
      await page.locator('h1', { hasText: 'Account' }).waitFor();
      equal(await page.locator('h1 bdi').textContent(), printed(text), 'the account');
      await fits(page);
    }
    await accessible(page);
  });

  await check('every page, whatever is stored and asked for', async () => {
    const page = await operator({ refusals: true });
    for (const path of known.pages) {
      await page.goto(BASE + path);
      await page.locator('h1').first().waitFor();
    }
    const every = Object.fromEntries(['q', 'after', 'result', 'issuer', 'actor', 'deviceId', 'id', 'event', 'outcome', 'days', 'next'].map((name) => [name, known.texts[0]]));
    for (const path of new Set(known.pages.map((p) => p.split('?')[0]))) {
      await page.goto(`${BASE + path}?${new URLSearchParams(every)}#${encodeURIComponent(known.texts[0])}`);
      await page.locator('h1').first().waitFor();
    }
    assert(!(await page.title()).includes('taken'), 'a script has run');
  });

  await check('an account is erased, and the trail still has it', async () => {
    const page = await operator({ refusals: true });
    await page.goto(`${BASE}/search?${new URLSearchParams({ q: known.texts[0] })}`);
    await deviceFound(page);
    const gone = page.url();
    await page.locator('.facts a').first().click();
    await page.getByRole('link', { name: 'Show all in the trail' }).click();
    await page.waitForURL((url) => url.searchParams.has('accountId')); // count() does not wait for the page
    const its = new URL(page.url()).searchParams.get('accountId');
    assert(await page.locator('.trail tbody tr:not(.more)').count() >= 5, 'entries of the account');
    await page.goto(`${BASE}/accounts/${its}/erase`);
    await page.locator('dd', { hasText: known.issuers[0] }).waitFor();
    await act(page, { Reason: known.texts[0], confirm: its.slice(-6) }, 'Erase account');
    await page.getByRole('status').getByText('The account was erased.').waitFor();
    await page.getByRole('link', { name: 'see it in the trail' }).click();
    await page.locator('.trail').getByText('account.erased').first().waitFor();
    await page.getByText(known.texts[0]).first().waitFor();
    await page.goto(gone);
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await page.goto(`${BASE}/search?q=${its}`);
    await page.locator('.trail').getByText('key.removed').first().waitFor();
  });
}

await { story, tampered, jwt }[process.argv[2]]();
await end();
