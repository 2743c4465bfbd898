// Verifies the JWT on standard input with a JWK Set (arguments: its URL, typ) with
// npm jose and prints the claims.
import { text } from 'node:stream/consumers'
import * as jose from 'jose'

const [url, typ] = process.argv.slice(2)
const jwt = (await text(process.stdin)).trim()
const { payload } = await jose.jwtVerify(jwt, jose.createRemoteJWKSet(new URL(url)), { algorithms: ['ES256'], typ })
console.log(JSON.stringify(payload))
