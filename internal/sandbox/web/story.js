// The common part of pages with steps. A step sends requests, and shows each
// with its answer and what it meant on the server.
import { call, operations, unable } from './strongroom.js';
import { codeBlock, el, jsonBlock, start } from './ui.js';

export const $ = (id) => document.getElementById(id);

// What each refusal means for a client.
const meanings = {
  BAD_USER_INPUT: 'An argument is not allowed. The message names the field. Nothing was done.',
  KEY_NOT_USABLE: 'The key is not usable any more. A client calls generateClientEncryptionKey, encrypts again and sends that, once.',
  DECRYPTION_FAILED: 'The ciphertext does not decrypt under this key. No guess was counted.',
  CREDENTIAL_LOCKED: 'Locked, also for the correct secret. A client waits retryAfterSeconds.',
  CIPHERTEXT_REUSED: 'Replay protection is on, and this ciphertext was sent before.',
  TOO_MANY_REQUESTS: 'A limit was reached. A client waits retryAfterSeconds.',
  OVERLOADED: 'The service is at capacity. Nothing was done; send it again.',
  UNAUTHENTICATED: 'The service does not know who is calling. Fill in “Authentication” above.',
  FORBIDDEN: 'The caller may not do this: a scope is missing, or replacing a secret wants fresh proof.',
  OPERATION_DISABLED: 'The operator turned this off.',
};

export class Refused extends Error {
  constructor(exchange) {
    super(exchange.failure ?? exchange.error?.message ?? exchange.answer?.message ?? `Status ${exchange.status}`);
    this.exchange = exchange;
  }
}

/** Calls an operation and shows the exchange in the step. */
export async function ask(step, name, variables, title) {
  const exchange = await call(name, operations[name], variables);
  show(step, exchange, title);
  return exchange;
}

/** Like ask, but anything except success is an error. */
export async function must(step, name, variables) {
  const exchange = await ask(step, name, variables);
  if (exchange.value === null) throw new Refused(exchange);
  return exchange;
}

/** Shows an exchange in a step. */
export function show(step, x, title = x.name) {
  const wire = step.querySelector('.wire');
  wire.querySelector('.preview')?.remove();
  for (const earlier of wire.querySelectorAll('details')) earlier.open = false;
  const verdict = x.failure ? 'failed' : x.code || (typeof x.value === 'boolean' ? String(x.value) : `${x.status}`);
  wire.append(el('details', { class: 'exchange', open: true },
    el('summary', {}, el('span', { class: 'verb' }, x.method), el('span', { class: 'what' }, title),
      el('span', { class: `pill ${x.code || x.failure || x.status >= 400 ? 'bad' : x.value === false ? 'warn' : 'good'}` }, verdict),
      el('span', { class: 'took' }, `${Math.max(1, Math.round(x.took))} ms`)),
    x.sent?.query ? [codeBlock('Query', x.sent.query, `Query of ${title}`), jsonBlock('Variables', x.sent.variables, `Variables of ${title}`)]
      : x.sent ? jsonBlock('Body', x.sent, `Body of ${title}`) : '',
    jsonBlock(x.status ? `Answer · HTTP ${x.status}` : 'Answer', x.failure ?? x.answer, `Answer to ${title}`)));
}

/** Shows the request before the step runs. */
export function preview(step, name, variables) {
  step.querySelector('.wire').append(el('div', { class: 'preview' },
    codeBlock('POST /graphql', operations[name], `Query of ${name}`),
    variables ? jsonBlock('Variables', variables, `Variables of ${name}`) : ''));
}

/** Shows the result of a step. */
export function outcome(step, tone, headline, ...facts) {
  step.querySelector('.outcome').replaceChildren(
    el('p', { class: `headline ${tone}` }, headline),
    facts.length ? el('div', { class: 'inside' }, el('h3', {}, 'What happened'), el('ul', {}, facts.filter(Boolean).map((f) => el('li', {}, f)))) : '');
}

export const code = (text) => el('code', {}, text);

export function duration(seconds) {
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}

async function run(steps, id, after) {
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
  after(step);
  return ok;
}

/**
 * Activates a page of steps: each step's button runs it, #run-all runs all
 * in order until one fails. possible(id) says whether a step can run now, and
 * after(step) is called after each run. Call the returned function when possible changes.
 */
export function tell(steps, possible, after = () => {}) {
  let busy = false;
  const ready = () => {
    for (const id of Object.keys(steps)) $(id).querySelector('.run').disabled = busy || !possible(id);
    $('run-all').disabled = busy;
  };
  const exclusively = async (work) => {
    if (busy) return;
    busy = true;
    ready();
    try {
      await work();
    } finally {
      busy = false;
      ready();
    }
  };
  const runAll = async () => {
    for (const id of Object.keys(steps)) {
      $('progress').textContent = `Step: ${$(`${id}-title`).textContent}`;
      if (!await run(steps, id, after)) {
        $('progress').textContent = `Stopped at: ${$(`${id}-title`).textContent}`;
        $(id).scrollIntoView({ block: 'start' });
        return;
      }
    }
    $('progress').textContent = 'The whole story was run.';
  };
  for (const id of Object.keys(steps)) $(id).querySelector('.run').addEventListener('click', () => exclusively(() => run(steps, id, after)));
  $('run-all').addEventListener('click', () => exclusively(runAll));
  start();
  const why = unable();
  $('unable').textContent = why;
  $('unable').hidden = !why;
  ready();
  return ready;
}

/** A new random id with a prefix. */
export const fresh = (word) => `${word}-${[...crypto.getRandomValues(new Uint8Array(5))].map((b) => b.toString(16).padStart(2, '0')).join('')}`;
