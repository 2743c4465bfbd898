// printf %s 493817 | node encrypt.node.mjs public.pem
import { publicEncrypt } from 'node:crypto';
import { readFileSync } from 'node:fs';

function encrypt(secret, publicKey) {
  // oaepHash is for hash and MGF1; OAEP is the padding by default.
  return publicEncrypt({ key: publicKey, oaepHash: 'sha256' }, secret).toString('base64');
}

console.log(encrypt(readFileSync(0), readFileSync(process.argv[2], 'utf8')));
