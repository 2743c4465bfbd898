// Builds the vendored files from the packages in package-lock.json:
//
//   cd "$(mktemp -d)" && cp .../third_party/{package.json,package-lock.json,build.mjs} . && npm ci --ignore-scripts && node build.mjs
//
// It uses GraphiQL's published bundle, after the React that the bundle needs. It
// leaves out the references to source maps, and the fonts of the style sheet, which
// are nine tenths of it: system fonts replace them. licences.txt has the licence of
// every package in the bundle, according to the bundle's source map.
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
