// Has people sign in to the console at their identity provider, in a real
// browser. Told by the environment, beside what visit.mjs is told: BASE (address
// of the operator side), PROVIDER (of the provider, on another site), TOKEN (an
// admin token), HOSTILE (name of somebody), SHORT (to go the way once and no more).
import { accessible, assert, check, end, equal, fits, visitor as anybody } from './visit.mjs';

const { BASE, PROVIDER, TOKEN, HOSTILE, SHORT, SHOTS } = process.env;

const visitor = (options) => anybody([BASE, PROVIDER], { ignoreHTTPSErrors: true, ...options });

/** Goes to a page, and to the provider, and is somebody there. */
async function signIn(page, who, path = '/') {
  await page.goto(BASE + path);
  await page.getByRole('link', { name: `Sign in with ${new URL(PROVIDER).host}` }).click();
  await page.getByRole('link', { name: who, exact: true }).click();
}

/** Where a program ends that signs in as somebody, but for the last step. */
async function caught(who) {
  const begun = await fetch(`${BASE}/signin/oidc`, { redirect: 'manual' });
  const asked = await fetch(begun.headers.get('location').replace('/authorize', '/as') + `&who=${who}`, { redirect: 'manual' });
  return asked.headers.get('location');
}

await check('an operator signs in, and a deep link survives', async () => {
  const context = await visitor();
  const page = await context.newPage();
  await page.goto(`${BASE}/devices?q=ios-%3C`);
  await accessible(page);
  equal(await page.evaluate(() => document.activeElement.textContent), `Sign in with ${new URL(PROVIDER).host}`, 'the focus');
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/signin-provider-1280-light.png` });
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'olga', exact: true }).click();
  await page.waitForURL(`${BASE}/devices?q=ios-%3C`);
  await page.getByText('oidc:olga@bank.example').waitFor();
  const [cookie, ...more] = await context.cookies();
  const tls = BASE.startsWith('https:');
  equal([cookie.httpOnly, cookie.sameSite, cookie.path, cookie.expires, cookie.secure, cookie.name.startsWith('__Host-'), more], [true, 'Strict', '/', -1, tls, tls, []], 'the cookie');
  await page.goto(`${BASE}/rotation`);
  await page.getByRole('link', { name: 'Start a plan…' }).waitFor();
});

if (SHORT) {
  await end();
  process.exit();
}

await check('a viewer reads, and is refused what changes something', async () => {
  const context = await visitor({ refusals: true });
  const page = await context.newPage();
  await signIn(page, 'victor', '/rotation');
  await page.getByText('viewer, reads only').waitFor();
  equal(await page.getByRole('link', { name: 'Start a plan…' }).count(), 0, 'links to acts');
  equal((await page.goto(`${BASE}/rotation/start`)).status(), 403, 'the form');
});

await check('without script', async () => {
  const context = await visitor({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, 'olga', '/audit');
  await page.waitForURL(`${BASE}/audit`);
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
});

await check('who has no role is told so, and another can sign in from there', async () => {
  const context = await visitor({ refusals: true });
  const page = await context.newPage();
  await signIn(page, 'carol', '/locks');
  await page.getByRole('alert').getByText('have no role here').waitFor();
  assert(/[a-z2-7]{26}/.test(await page.getByRole('alert').innerText()), 'no request id');
  equal(await context.cookies(), [], 'cookies');
  await accessible(page);
  await page.getByRole('link', { name: 'Sign in with' }).click();
  await page.getByRole('link', { name: 'olga', exact: true }).click();
  await page.waitForURL(`${BASE}/locks`);
});

await check('who is denied there is told so in our words', async () => {
  const context = await visitor({ refusals: true });
  const page = await context.newPage();
  await signIn(page, 'denied', '/events');
  await page.getByRole('alert').getByText('refused the sign-in').waitFor();
  assert(!(await page.content()).includes('taken'), 'the words of the provider are in the page');
  await page.getByLabel('Admin token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${BASE}/events`);
});

await check('nobody is signed in as somebody else, by a link', async () => {
  const context = await visitor({ refusals: true });
  const page = await context.newPage();
  for (const before of ['/signin', '/signin/oidc']) { // with a sign-in of its own under way, and without
    await page.goto(BASE + before);
    await page.goto(await caught('mallory'));
    await page.getByRole('alert').getByText('did not start in this browser').waitFor();
    const names = (await context.cookies()).map((c) => c.name);
    assert(!names.some((name) => name.includes('session')), `cookies: ${names}`);
  }
  await signIn(page, 'olga');
  await page.getByText('oidc:olga@bank.example').waitFor();
  await page.goto(await caught('mallory'));
  await page.goto(BASE);
  await page.getByText('oidc:olga@bank.example').waitFor();
});

await check('an answer is good once', async () => {
  const context = await visitor({ refusals: true });
  const page = await context.newPage();
  let answer;
  page.on('request', (r) => { if (r.url().includes('/callback')) answer = r.url(); });
  await signIn(page, 'olga', '/devices');
  await page.waitForURL(`${BASE}/devices`);
  await page.goto(answer);
  await page.getByRole('alert').getByText('opened twice').waitFor();
});

await check('a name of the provider is text', async () => {
  const context = await visitor();
  const page = await context.newPage();
  await signIn(page, 'hostile');
  await page.getByText(`oidc:${HOSTILE}`).waitFor();
  equal(await page.evaluate(() => document.title), 'Overview · Strongroom', 'title');
});

await check('signing out ends the session here', async () => {
  const context = await visitor();
  const page = await context.newPage();
  await signIn(page, 'olga');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Admin token').waitFor();
  equal(await context.cookies(), [], 'cookies');
  await page.goto(`${BASE}/devices`);
  await page.getByLabel('Admin token').waitFor();
});

for (const [width, colorScheme] of [[390, 'light'], [390, 'dark'], [1280, 'dark']]) {
  await check(`${width} pixels, ${colorScheme}`, async () => {
    const context = await visitor({ viewport: { width, height: 844 }, colorScheme });
    const page = await context.newPage();
    await page.goto(`${BASE}/signin?next=/devices`);
    await fits(page);
    await accessible(page);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/signin-provider-${width}-${colorScheme}.png` });
  });
}

await end();
