// The same in a browser, in Node.js and in Deno.
export async function encrypt(secret, publicKey) {
  const der = Uint8Array.from(atob(publicKey.replace(/-----[^-]+-----|\s/g, '')), (c) => c.charCodeAt(0));
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' }; // for hash and MGF1; no label
  const key = await crypto.subtle.importKey('spki', der, algorithm, false, ['encrypt']);
  const bytes = await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(secret));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

// printf %s 493817 | node encrypt.webcrypto.mjs public.pem
if (globalThis.process?.argv[2]) {
  const { readFileSync } = await import('node:fs');
  console.log(await encrypt(readFileSync(0, 'utf8'), readFileSync(process.argv[2], 'utf8')));
}
