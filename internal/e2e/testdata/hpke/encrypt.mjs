// Encrypts standard input as an app does: encrypt.mjs ALGORITHM PUBLICKEYBYTES OPERATION KEYID PASSWORDAUTHTYPE
import { readFileSync } from 'node:fs'
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { XWing } from '@hpke/hybridkem-x-wing'

const [algorithm, publicKeyBytes, operation, keyId, passwordAuthType] = process.argv.slice(2)
const kem = algorithm === 'HPKE-XWING' ? new XWing() : new DhkemX25519HkdfSha256()
const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() })
const utf8 = new TextEncoder()
const sender = await suite.createSenderContext({
  recipientPublicKey: await suite.kem.deserializePublicKey(Buffer.from(publicKeyBytes, 'base64')),
  info: utf8.encode('strongroom hpke v1'),
})
const sealed = await sender.seal(readFileSync(0), utf8.encode(`${operation}\n${keyId}\n${passwordAuthType}`))
process.stdout.write(Buffer.concat([Buffer.from(sender.enc), Buffer.from(sealed)]).toString('base64'))
