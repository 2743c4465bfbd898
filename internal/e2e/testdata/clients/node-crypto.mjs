// Encrypts standard input for Strongroom with node:crypto and prints base64.
//
//   printf %s 493817 | node node-crypto.mjs public.pem
//
// Always name oaepHash. Without it Node uses SHA-1, which "default" as second
// argument shows; Strongroom accepts that unless its operator forbids it.
import { publicEncrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [path, mode = 'sha256'] = process.argv.slice(2);
const pem = readFileSync(path, 'utf8');
const secret = readFileSync(0);

const key = mode === 'default' ? pem : { key: pem, oaepHash: mode };
console.log(publicEncrypt(key, secret).toString('base64'));
