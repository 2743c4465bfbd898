// Makes DPoP proofs with third-party libraries. Each line of the input asks
// for one: {library, alg, key, htm, htu, nonce, token}. key names a key pair, which
// is made when it is first named. Each line of the output is {proof, jkt}.
import { createInterface } from 'node:readline'
import * as dpop from 'dpop'
import * as jose from 'jose'

const pairs = {}

const libraries = {
  dpop: {
    make: (alg) => dpop.generateKeyPair(alg),
    prove: (pair, ask) => dpop.generateProof(pair, ask.htu, ask.htm, ask.nonce, ask.token),
  },
  jose: {
    make: (alg) => jose.generateKeyPair(alg),
    prove: async (pair, ask) => {
      const claims = { htm: ask.htm, htu: ask.htu, nonce: ask.nonce }
      if (ask.token) claims.ath = jose.base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ask.token))))
      return new jose.SignJWT(claims).setProtectedHeader({ typ: 'dpop+jwt', alg: ask.alg, jwk: await jose.exportJWK(pair.publicKey) })
        .setJti(crypto.randomUUID()).setIssuedAt().sign(pair.privateKey)
    },
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line)
  const library = libraries[ask.library]
  const pair = pairs[ask.key] ??= await library.make(ask.alg)
  const jkt = await jose.calculateJwkThumbprint(await jose.exportJWK(pair.publicKey))
  console.log(JSON.stringify({ proof: await library.prove(pair, ask), jkt }))
}
