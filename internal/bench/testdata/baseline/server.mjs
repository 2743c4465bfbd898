// A service to compare with, as a team would write it with Node.js: GraphQL Yoga,
// better-sqlite3 with synchronous commits, @node-rs/argon2 with the same cost, RSA of
// node:crypto. It has keys, PINs and a lock after five failures, and no audit trail.
//
//   npm install && node server.mjs 4001 data.db 3072
//   strongroom bench run --load verify:8 --url http://127.0.0.1:4001/graphql --api baseline --pid PID
import { createServer } from 'node:http'
import { constants, createPrivateKey, generateKeyPair, privateDecrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'
import Database from 'better-sqlite3'
import { createSchema, createYoga } from 'graphql-yoga'

const [port = '4001', file = 'baseline.db', bits = '3072'] = process.argv.slice(2)
const cost = { memoryCost: 19456, timeCost: 2, parallelism: 1 }
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`CREATE TABLE IF NOT EXISTS device (
  id TEXT PRIMARY KEY, public TEXT NOT NULL, private TEXT NOT NULL, created TEXT NOT NULL, pin TEXT, failures INTEGER NOT NULL DEFAULT 0)`)
const find = db.prepare('SELECT * FROM device WHERE id = ?')
const add = db.prepare('INSERT INTO device (id, public, private, created) VALUES (?, ?, ?, ?)')
const setPin = db.prepare('UPDATE device SET pin = ?, failures = 0 WHERE id = ?')
const reserve = db.prepare('UPDATE device SET failures = failures + 1 WHERE id = ? AND failures < 5')
const settle = db.prepare('UPDATE device SET failures = 0 WHERE id = ?')
const privateKeys = new Map() // parsed once for each device, like Strongroom's key cache

function decrypt(device, ciphertext) {
  let key = privateKeys.get(device.id)
  if (!key) privateKeys.set(device.id, (key = createPrivateKey(device.private)))
  const padding = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
  return privateDecrypt(padding, Buffer.from(ciphertext, 'base64'))
}

const known = (id) => find.get(id) ?? (() => { throw new Error('unknown device') })()

const resolvers = {
  Query: { ready: () => true },
  Mutation: {
    async issueKey(_, { deviceId }) {
      let device = find.get(deviceId)
      if (!device) {
        const pair = await promisify(generateKeyPair)('rsa', { modulusLength: Number(bits),
          publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } })
        add.run(deviceId, pair.publicKey, pair.privateKey, new Date().toISOString())
        device = find.get(deviceId)
      }
      return { deviceId, publicKey: device.public, created: device.created }
    },
    async setPin(_, { deviceId, pin }) {
      setPin.run(await hash(decrypt(known(deviceId), pin), cost), deviceId)
      return { ok: true }
    },
    async verifyPin(_, { deviceId, pin }) {
      const device = known(deviceId)
      const secret = decrypt(device, pin)
      if (!device.pin || reserve.run(deviceId).changes === 0) throw new Error('locked')
      const ok = await verify(device.pin, secret)
      if (ok) settle.run(deviceId)
      return { ok }
    },
  },
}
const typeDefs = `type Key { deviceId: ID! publicKey: String! created: String! } type Done { ok: Boolean! } type Query { ready: Boolean! }
  type Mutation { issueKey(deviceId: ID!): Key! setPin(deviceId: ID!, pin: String!): Done! verifyPin(deviceId: ID!, pin: String!): Done! }`
createServer(createYoga({ schema: createSchema({ typeDefs, resolvers }), logging: false })).listen(Number(port), '127.0.0.1')
