// Finds the sections that have all words of ?q=. Words in a title count most.
const query = (new URLSearchParams(location.search).get('q') ?? '').trim();
const words = query.toLowerCase().split(/\s+/).filter(Boolean);

function score({ page, title, text }) {
  let sum = 0;
  for (const word of words) {
    const value = 20 * title.toLowerCase().includes(word) + 8 * page.toLowerCase().includes(word) +
      Math.min(text.toLowerCase().split(word).length - 1, 5);
    if (value === 0) return 0;
    sum += value;
  }
  return sum;
}

// excerpt is the text around the first word, with the words marked.
function excerpt(text) {
  const lower = text.toLowerCase();
  const first = Math.max(0, Math.min(...words.map((w) => lower.indexOf(w)).filter((at) => at >= 0)) || 0);
  const from = Number.isFinite(first) ? Math.max(0, first - 60) : 0;
  const part = text.slice(from, from + 220);
  const p = document.createElement('p');
  if (from > 0) p.append('… ');
  const escaped = words.map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  part.split(new RegExp(`(${escaped.join('|')})`, 'i')).forEach((piece, n) => {
    if (n % 2 === 0) return p.append(piece);
    const mark = document.createElement('mark');
    mark.textContent = piece;
    p.append(mark);
  });
  if (from + 220 < text.length) p.append(' …');
  return p;
}

document.querySelector('input[name=q]').value = query;
const count = document.getElementById('count');
if (words.length > 0) {
  const found = self.sections.map((s) => [score(s), s]).filter(([value]) => value > 0).sort((a, b) => b[0] - a[0]);
  count.textContent = found.length === 0 ? 'No section has all these words. Try fewer.' :
    `${found.length} ${found.length === 1 ? 'section' : 'sections'}${found.length > 50 ? ', the best 50 shown' : ''}`;
  for (const [, s] of found.slice(0, 50)) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = s.at;
    link.textContent = s.title === s.page ? s.page : `${s.page}: ${s.title}`;
    item.append(link, excerpt(s.text));
    document.getElementById('found').append(item);
  }
}
