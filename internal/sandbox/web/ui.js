// The parts of the pages. Text is inserted as text, never as markup.

/** Makes an element: attributes, then children, which are nodes or text. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    if (name === 'class') node.className = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((c) => c !== undefined && c !== null && c !== ''));
  return node;
}

const token = /((?<!:)\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?:^|(?<=\s))#[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\b(true|false|null|mutation|query|import|from|export|async|await|function|func|fun|def|return|const|let|val|var|final|new|public|static|class|struct|package|guard|throw|throws|try|using|with|if|else|for|in|set)\b|\b(\d[\d.]*)\b/gm;

/** Colours source text a little: comments, strings, a few words, numbers. */
export function highlight(code, text) {
  const parts = [];
  let at = 0;
  for (const m of text.matchAll(token)) {
    if (m.index > at) parts.push(text.slice(at, m.index));
    const kind = m[1] ? 'c' : m[2] ? (/^\s*:/.test(text.slice(m.index + m[0].length, m.index + m[0].length + 3)) ? 'k' : 's') : m[3] ? 'w' : 'n';
    parts.push(el('span', { class: `t-${kind}` }, m[0]));
    at = m.index + m[0].length;
  }
  parts.push(text.slice(at));
  code.replaceChildren(...parts);
  return code;
}

/** A block of code with a head and a button that copies it, or all of it. */
export function codeBlock(head, text, label, all = text) {
  return el('div', { class: 'block' },
    el('div', { class: 'codehead' }, el('span', { class: 'file' }, head), copyButton(() => all, label)),
    el('pre', { class: 'code', tabindex: '0', role: 'group', 'aria-label': label }, highlight(el('code'), text)));
}

export function copyButton(text, what = '') {
  const button = el('button', { type: 'button', class: 'copy', 'aria-label': what ? `Copy: ${what}` : 'Copy' }, 'Copy');
  button.addEventListener('click', () => copied(button, text()));
  return button;
}

async function copied(button, text) {
  let done = 'Copied';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = 'Not allowed';
  }
  button.textContent = done;
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

/** Tabs with the usual keys (WAI-ARIA, tabs pattern). */
function tabs(root) {
  const all = [...root.querySelectorAll('[role=tab]')];
  const select = (tab) => {
    for (const t of all) {
      const on = t === tab;
      t.setAttribute('aria-selected', String(on));
      t.tabIndex = on ? 0 : -1;
      document.getElementById(t.getAttribute('aria-controls')).hidden = !on;
    }
  };
  const keys = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  for (const [i, tab] of all.entries()) {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (e) => {
      const by = keys[e.key];
      if (by === undefined) return;
      e.preventDefault();
      const next = Number.isFinite(by) ? (i + by + all.length) % all.length : by < 0 ? 0 : all.length - 1;
      select(all[next]);
      all[next].focus();
    });
  }
}

/** Activates the parts that are in the page already. */
export function start() {
  for (const root of document.querySelectorAll('[data-tabs]')) tabs(root);
  for (const code of document.querySelectorAll('[data-highlight]')) highlight(code, code.textContent);
  for (const button of document.querySelectorAll('[data-copy]')) {
    const code = document.getElementById(button.dataset.copy);
    button.addEventListener('click', () => copied(button, code.textContent));
  }
}

/** JSON for people: long values are shortened in the middle, but copied in full. */
export function jsonBlock(head, value, label) {
  const cut = (_, v) => (typeof v === 'string' && v.length > 200 ? `${v.slice(0, 32)}…${v.slice(-10)}` : v);
  return codeBlock(head, JSON.stringify(value, cut, 2), label, JSON.stringify(value, null, 2));
}
