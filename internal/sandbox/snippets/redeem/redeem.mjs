// Redeems the receipt on standard input. TOKEN is in the environment:
// node redeem.mjs https://vault.bank.example payments.bank.example alice '{"amount":"12.50","currency":"EUR","id":"p-7031","to":"DE02120300000000202051"}'
// The arguments are the service, the aud of your receipts, the owner of the account, and the
// canonical form of the payment that you will execute.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url, audience, account, transaction] = process.argv.slice(2)

const answer = await fetch(url + '/api/receipts/redeem', {
  method: 'POST',
  headers: { Authorization: 'Bearer ' + process.env.TOKEN, 'Content-Type': 'application/json' },
  body: JSON.stringify({ receipt: readFileSync(0, 'utf8').trim() }),
  signal: AbortSignal.timeout(10_000),
})
const claims = await answer.json()
if (answer.status !== 200) throw new Error(`not authorized: ${answer.status} ${claims.message}`)
if (claims.aud !== audience) throw new Error('not for this backend')
if (claims.sub !== account) throw new Error('not the owner of the account') // in jwt mode compare sub_iss too
if (claims.txn_hash !== createHash('sha256').update(transaction).digest('base64url')) throw new Error('not this transaction')
if (claims.passwordAuthType !== 'TRANSACTION_PIN') throw new Error('not authorized with the PIN')
if (claims.mustChange) throw new Error('the user must change the PIN first')
// Optional, if all devices prove a key: check that amr has 'swk' or 'hwk', and that you enrolled cnf.jkt.
console.log('authorized by ' + claims.sub)
