// Charts that react to the pointer. uPlot draws them over those of the server.

const charts = [];
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const zone = { hourCycle: 'h23', timeZone: 'UTC' }; // like all times on the pages
const clock = new Intl.DateTimeFormat(undefined, { ...zone, hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat(undefined, { ...zone, day: 'numeric', month: 'short' });
const both = new Intl.DateTimeFormat(undefined, { ...zone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const count = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const ms = (v) => (v >= 1000 ? `${+(v / 1000).toFixed(2)} s` : `${+v.toFixed(v < 10 ? 2 : 1)} ms`);

const percentiles = ['p99', 'p95', 'p50']; // the most important is drawn last

function data(kind, c) {
  if (kind === 'duration') return [c.start, ...percentiles.map((p) => c[p].map((v) => (v < 0 ? null : v)))];
  return kind === 'locks' ? [c.start, c.all] : [c.start, c.all, c.failed.map((n) => n || null)];
}

function words(kind, c, i) {
  const at = new Date(c.start[i] * 1000);
  const from = c.width >= 86400 ? date.format(at) : `${both.format(at)}Z`;
  if (kind === 'duration') return c.p50[i] < 0 ? `${from}: ${c.all[i] ? 'not known' : 'none'}` : `${from}: p50 ${ms(c.p50[i])}, p95 ${ms(c.p95[i])}, p99 ${ms(c.p99[i])}`;
  if (kind === 'locks') return `${from}: ${c.atLeast && i === 0 ? 'at least ' : ''}${count.format(c.all[i])}`;
  return `${from}: ${count.format(c.all[i])}, ${count.format(c.failed[i])} failed`;
}

/** The indexes of values without a neighbour, which a line would not show. */
const alone = (all) => all.flatMap((v, i) => (v >= 0 && !(all[i - 1] >= 0) && !(all[i + 1] >= 0) ? [i] : []));

/** The time range of the axis, with space for half a bar at each end. */
const around = (c) => (_, from, to) => [from - c.width * 0.6, to + c.width * 0.6];

/** The values of the horizontal lines: round numbers from 0 to at least the highest value. */
function levels(most, whole) {
  let step = whole ? 1 : 0.001;
  for (let i = 0; Math.ceil(most / step) > 4; i += 1) step *= i % 3 === 1 ? 2.5 : 2; // 1, 2, 5, 10
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, i) => i * step);
}

function options(box, kind, c, tip) {
  const heights = kind === 'duration' ? levels(Math.max(0.01, ...c.p99) * 1.04, false) : levels(Math.max(...c.all), true);
  const soft = style('--soft'), line = style('--line');
  const axis = { stroke: soft, font: '11px system-ui, sans-serif', ticks: { show: false }, gap: 6 };
  const bars = (fill, width = 0) => ({ fill, stroke: fill, width, paths: uPlot.paths.bars({ size: [0.8, 40], gap: 1 }), points: { show: false } });
  const stroke = style('--accent');
  const looks = { p50: { stroke, width: 2, fill: style('--tint') }, p95: { stroke, width: 1.5, dash: [6, 4] }, p99: { stroke: soft, width: 1.5, dash: [2, 3] } };
  const points = { show: true, size: 5, filter: () => alone(c.p50) };
  const series = kind === 'duration'
    ? [{}, ...percentiles.map((p) => ({ ...looks[p], points }))]
    : [{}, bars(style('--bar')), ...(kind === 'locks' ? [] : [bars(style('--bad'), 1)])];
  return {
    width: box.clientWidth, height: box.clientHeight, series, legend: { show: false }, tzDate: (s) => uPlot.tzDate(new Date(s * 1000), 'Etc/UTC'), padding: [8, 26, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'duration' } },
    scales: { x: { time: true, range: around(c) }, y: { range: () => [0, heights.at(-1)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 26, space: 70, values: (_, at) => at.map((s) => { const d = new Date(s * 1000); return c.width >= 7200 || (d.getUTCHours() === 0 && d.getUTCMinutes() === 0) ? date.format(d) : clock.format(d); }),
        incrs: [60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600].filter((s) => c.width < 7200 || s >= 86400) },
      { ...axis, size: 46, splits: () => heights, grid: { stroke: line, width: 1 }, values: (_, at) => at.map((v) => (kind === 'duration' ? ms(v) : Number.isInteger(v) ? short.format(v) : '')) },
    ],
    hooks: { setCursor: [(u) => {
      const i = u.cursor.idx;
      tip.hidden = i == null || u.cursor.left < 0;
      if (tip.hidden) return;
      tip.textContent = words(kind, c, i);
      const left = u.over.offsetLeft + u.valToPos(c.start[i], 'x') + 10;
      tip.style.left = `${Math.min(left, box.clientWidth - tip.offsetWidth - 4)}px`;
      tip.style.top = '2px';
    }] },
  };
}

function draw(chart) {
  const { box, kind } = chart;
  chart.plot?.destroy();
  box.replaceChildren();
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  chart.plot = new uPlot(options(box, kind, chart.data, tip), data(kind, chart.data), box);
  box.append(tip);
}

for (const box of document.querySelectorAll('[data-chart]')) {
  const chart = { box, kind: box.dataset.kind, data: JSON.parse(box.dataset.chart) };
  draw(chart);
  charts.push(chart);
  let wide = box.clientWidth;
  new ResizeObserver(() => {
    if (box.clientWidth !== wide) chart.plot.setSize({ width: wide = box.clientWidth, height: box.clientHeight });
  }).observe(box);
}

const known = document.querySelector('[data-known]');
document.addEventListener('chart', (e) => {
  if (known) known.textContent = e.detail.known ?? '';
  if (known) known.hidden = !e.detail.known;
  for (const chart of charts) {
    chart.data = e.detail;
    draw(chart);
  }
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(draw));
