// What scripts add to the pages: the viewer's time in titles, buttons that copy ids,
// a key for the search, and forms that are sent once. The pages work without them.

const local = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' });
const clock = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' });

/** Adds the viewer's time to the titles of times, which are in UTC. */
function localTitles(root) {
  for (const t of root.querySelectorAll('time[datetime]')) {
    const at = new Date(t.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const here = t.hasAttribute('data-hour') ? `from ${clock.format(at)}` : local.format(at);
    t.title = `${t.title.split(' · ')[0]} · your time: ${here}`;
  }
}

const ns = 'http://www.w3.org/2000/svg';
function icon(d) {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', d);
  svg.append(path);
  return svg;
}
const sheets = 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3';
const tick = 'm3 8.5 3.3 3.3L13 4.8';

function say(text) {
  const live = document.getElementById('say');
  if (live) live.textContent = text;
}

function copyButtons() {
  if (!navigator.clipboard) return;
  for (const id of document.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.title = 'Copy';
    const text = id.dataset.copy || id.textContent;
    button.setAttribute('aria-label', `Copy ${text}`);
    button.append(icon(sheets));
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        return say('The browser did not allow copying.');
      }
      button.classList.add('done');
      button.replaceChildren(icon(tick));
      say('Copied.');
      setTimeout(() => { button.classList.remove('done'); button.replaceChildren(icon(sheets)); }, 1500);
    });
    id.after('\u2060', button); // the word joiner keeps the button on the line of the id's end
  }
}

function searchKey() {
  const find = document.getElementById('find');
  document.addEventListener('keydown', (e) => {
    if (!find || e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName)) return;
    e.preventDefault();
    find.focus();
    find.select();
  });
  find?.addEventListener('keydown', (e) => { if (e.key === 'Escape' && !find.value) find.blur(); });
}

/** A second press does nothing. The server would not act twice either. */
function sendOnce() {
  for (const form of document.querySelectorAll('form[data-once]')) {
    form.addEventListener('submit', (e) => {
      if (form.dataset.sent) return e.preventDefault();
      form.dataset.sent = 'yes';
      for (const b of form.querySelectorAll('button')) b.setAttribute('aria-disabled', 'true');
    });
  }
  addEventListener('pageshow', () => document.querySelectorAll('form[data-sent]').forEach((f) => {
    delete f.dataset.sent;
    f.querySelectorAll('button').forEach((b) => b.removeAttribute('aria-disabled'));
  }));
}

/** Lets the keyboard scroll tables that are wider than their place. */
function wideTables() {
  const watch = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      const wide = target.scrollWidth > target.clientWidth;
      for (const [name, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': 'Table, wider than the page' })) {
        if (wide) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });
  for (const sheet of document.querySelectorAll('.sheet')) watch.observe(sheet);
}

async function ask(url) {
  const answer = await fetch(url, { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(8000) }); // a server that hangs must not look healthy
  if (answer.status === 401) location.reload(); // the session has ended
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

function put(element, state, value, note, part) {
  element.className = `${element.classList[0]} ${state}`;
  element.querySelector('[data-value]').textContent = value;
  element.querySelector('[data-note]').textContent = note;
  const meter = element.querySelector('[data-part]');
  if (meter) meter.value = part;
}

/** Updates the overview while the page is visible. */
function overview() {
  const live = document.querySelector('[data-live]');
  if (!live) return;
  const verdict = document.getElementById('verdict');
  const when = verdict.querySelector('time');
  const link = verdict.querySelector('[data-link]');
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const now = await ask(live.dataset.live);
      const known = document.querySelector('[data-unknown]') && !now.unknown;
      if (known || (!document.querySelector('[data-chart]') && now.chart.all.some(Boolean))) return location.reload(); // the page was made without a chart
      for (const t of [...now.tiles, ...now.gauges]) put(document.getElementById(`t-${t.id}`), t.state, t.value, t.note, t.part);
      verdict.className = `verdict ${now.verdict.state}`;
      const text = verdict.querySelector('[data-text]');
      if (text.textContent !== now.verdict.text) say(text.textContent = now.verdict.text);
      link.hidden = !now.verdict.link;
      link.href = now.verdict.link;
      link.textContent = now.verdict.name;
      when.dateTime = now.at;
      const utc = new Date(now.at).toISOString().replace('T', ' ');
      when.textContent = `${utc.slice(0, 19)}Z`;
      when.title = utc.replace('Z', ' UTC');
      localTitles(verdict);
      if (!now.unknown) document.dispatchEvent(new CustomEvent('chart', { detail: now.chart }));
    } catch (e) {
      verdict.className = 'verdict warn';
      link.hidden = true;
      verdict.querySelector('[data-text]').textContent = 'The service did not answer. The values below are older.';
    }
  }, 10_000);
}

/** Shows the progress of a check of the audit trail, and its result. */
function check() {
  const at = document.querySelector('[data-check]');
  if (!at) return;
  const again = setInterval(async () => {
    try {
      const now = await ask(at.dataset.check);
      at.querySelector('[data-progress]').textContent = now.progress;
      at.querySelector('[data-part]').value = now.percent;
      if (!now.running) { clearInterval(again); location.reload(); }
    } catch { /* try again next time */ }
  }, 1000);
}

localTitles(document);
copyButtons();
searchKey();
sendOnce();
wideTables();
overview();
check();
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

// Keeps the fragment of the page to open after the sign-in: links to the runbook have one.
if (location.hash) {
  for (const next of document.querySelectorAll('form[action="/signin"] input[name=next]')) next.value += location.hash;
  for (const link of document.querySelectorAll('a[href*="/signin/"]')) {
    const url = new URL(link.href);
    url.searchParams.set('next', (url.searchParams.get('next') ?? '/') + location.hash);
    link.href = url.href;
  }
}
