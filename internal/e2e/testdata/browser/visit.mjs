// What the drivers share. A driver makes checks and prints one line of JSON for
// each, and one when it has come to its end. Told by the environment: BROWSER
// (where Chromium listens), SHOTS (directory for screenshots, or empty).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

export const { SHOTS } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.connect(process.env.BROWSER);

export function assert(ok, words) {
  if (!ok) throw new Error(words);
}

export function equal(got, want, what) {
  assert(JSON.stringify(got) === JSON.stringify(want), `${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

let checks = 0;
let opened = []; // in this check

/** One thing that must hold. What it opened is closed, however it ends. */
export async function check(name, work) {
  const start = Date.now();
  let detail = '';
  opened = [];
  try {
    await work();
    for (const context of opened) await leave(context);
  } catch (e) {
    detail = e.message.replaceAll(/\x1b\[\d*m/g, '').split('\n').slice(0, 6).join(' ');
  }
  await Promise.all(opened.map((context) => context.close()));
  checks += 1;
  console.log(JSON.stringify({ name, ok: detail === '', detail, ms: Date.now() - start }));
}

/** Says that all checks were made: a driver that stops early does not. */
export async function end() {
  await browser.close();
  console.log(JSON.stringify({ end: checks }));
}

/**
 * A browser of somebody, in which everything that goes wrong is noted: whatever
 * runs that should not, breaks the policy, or asks another origin than these.
 * Where refusals is set, answers of 4xx are expected.
 */
export async function visitor(origins, { refusals = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: 'Europe/Zurich', locale: 'en-GB', reducedMotion: 'reduce', ...options });
  opened.push(context);
  Object.assign(context, { wrong: [], refusals, origins });
  await context.exposeBinding('violated', (_, words) => { context.wrong.push(`policy: ${words}`); });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (e) => globalThis.violated(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
  });
  context.on('page', (page) => {
    page.setDefaultTimeout(120_000); // as patience in harness_test.go
    page.on('pageerror', (e) => context.wrong.push(`exception: ${e.message}`));
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && !(context.refusals && m.text().includes('status of 4')) && context.wrong.push(`console: ${m.text()} at ${page.url()}`));
    page.on('dialog', (d) => { context.wrong.push(`dialog: ${d.message()}`); return d.dismiss(); });
    page.on('request', (r) => r.url().startsWith('data:') || context.origins.includes(new URL(r.url()).origin) || context.wrong.push(`request to ${r.url()}`));
  });
  return context;
}

async function leave(context) {
  await context.close();
  assert(context.wrong.length === 0, `in the page: ${context.wrong.join('; ')}`);
}

// Further rows of a table look like those above them. axe takes half of the browser's time.
const alike = { exclude: ['tbody tr:nth-child(n+7)'] };

/** No serious finding of axe, but for elements that are spared of a rule, by a selector of theirs. */
export async function accessible(page, { spared = {}, ...options } = {}) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe);
  const found = await page.evaluate(async ([o, spare, alike]) => {
    const { violations } = await globalThis.axe.run(alike, { resultTypes: ['violations'], ...o });
    for (const v of violations) v.nodes = v.nodes.filter((n) => !(v.id in spare && document.querySelector(n.target[0]).matches(spare[v.id])));
    return violations.filter((v) => v.nodes.length && ['serious', 'critical'].includes(v.impact));
  }, [options, spared, alike]);
  assert(found.length === 0, `axe at ${page.url()}: ${found.map((v) => `${v.id} at ${v.nodes.map((n) => n.target).join(', ')}: ${v.nodes[0].failureSummary}`).join('; ')}`);
}

/** Of what axe looks at, the colours: all else is the same in the dark. */
const legible = (page, options) => accessible(page, { ...options, runOnly: ['color-contrast'] });

/** The page is no wider than its window. After a change of the window's size, the layout follows in the next frame. */
export async function fits(page) {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const [inner, wide] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  assert(wide <= inner, `${page.url()} is ${wide} pixels wide in a window of ${inner}`);
}

/** In a window of this width, in the light or the dark, the page fits and has no serious finding. */
export async function presentable(page, width, colorScheme, options) {
  await page.setViewportSize({ width, height: width < 500 ? 844 : 1080 });
  await page.emulateMedia({ colorScheme });
  await fits(page);
  await (colorScheme === 'dark' ? legible : accessible)(page, options);
}
