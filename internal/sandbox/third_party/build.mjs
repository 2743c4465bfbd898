// Makes what is vendored here out of the packages that package-lock.json names:
//
//   cd "$(mktemp -d)" && cp .../third_party/{package.json,package-lock.json,build.mjs} . && npm ci --ignore-scripts && node build.mjs
//
// GraphiQL's own bundle is taken as it is published, with the React that it
// wants before it. Left out are the fonts of its style sheet, nine tenths of
// it, for which the reader's own stand in, and the references to source maps.
// licences.txt holds the licence of every package whose code is in the bundle,
// which its source map tells.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const read = (path) => readFileSync(`node_modules/${path}`, 'utf8');
const withoutMap = (text) => text.replace(/\n?\/[/*]# sourceMappingURL=.*\s*$/, '').trimEnd() + '\n';
const write = (name, text) => writeFileSync(`${name}.gz`, gzipSync(text, { level: 9 }));

const scripts = ['react/umd/react.production.min.js', 'react-dom/umd/react-dom.production.min.js', 'graphiql/graphiql.min.js'];
write('graphiql.js', scripts.map((path) => withoutMap(read(path))).join(''));
write('graphiql.css', withoutMap(read('graphiql/graphiql.min.css')).replace(/@font-face\{[^}]*\}/g, ''));

const sources = JSON.parse(read('graphiql/graphiql.min.js.map')).sources;
const packages = new Set(['react', 'react-dom', 'scheduler', 'graphiql', '@graphiql/react', '@graphiql/toolkit', 'codemirror-graphql', 'graphql-language-service']);
for (const source of sources) {
  const [, path] = source.match(/.*node_modules\/(.*)/) ?? [];
  if (path) packages.add(path.split('/').slice(0, path.startsWith('@') ? 2 : 1).join('/'));
}
const licences = [...packages].sort().map((name) => {
  if (!existsSync(`node_modules/${name}`)) throw new Error(`${name} is in the bundle and not installed`);
  const { version, license } = JSON.parse(read(`${name}/package.json`));
  const file = readdirSync(`node_modules/${name}`).find((file) => /^licen[cs]e(\.|-|$)/i.test(file));
  const text = file ? read(`${name}/${file}`).trim() : `(no file; package.json says: ${license})`;
  return `${name} ${version} (${license})\n\n${text}\n`;
});
write('licences.txt', licences.join('\n' + '-'.repeat(79) + '\n\n'));
