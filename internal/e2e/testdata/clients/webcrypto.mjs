// Encrypts standard input for Strongroom with WebCrypto and prints base64.
// encrypt works as it stands in a browser, in Node and in Deno.
//
//   printf %s 493817 | node webcrypto.mjs public.pem
import { readFileSync } from 'node:fs';

async function encrypt(pem, secret) {
  const spki = Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, '')), (c) => c.charCodeAt(0));
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('spki', spki, algorithm, false, ['encrypt']);
  const ciphertext = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(secret));
  return btoa(String.fromCharCode(...new Uint8Array(ciphertext)));
}

console.log(await encrypt(readFileSync(process.argv[2], 'utf8'), readFileSync(0, 'utf8')));
