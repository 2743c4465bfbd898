// Redeems the receipt on standard input. TOKEN is in the environment:
// node redeem.mjs https://vault.bank.example '{"amount":"12.50","currency":"EUR","to":"ACME"}'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [url, transaction] = process.argv.slice(2) // the canonical form of what will be executed

const answer = await fetch(url + '/api/receipts/redeem', {
  method: 'POST',
  headers: { Authorization: 'Bearer ' + process.env.TOKEN, 'Content-Type': 'application/json' },
  body: JSON.stringify({ receipt: readFileSync(0, 'utf8').trim() }),
})
const claims = await answer.json()
if (answer.status !== 200) throw new Error(`not authorized: ${answer.status} ${claims.message}`)
if (claims.txn_hash !== createHash('sha256').update(transaction).digest('base64url')) throw new Error('not this transaction')
if (claims.passwordAuthType !== 'TRANSACTION_PIN') throw new Error('not authorized with the PIN')
if (claims.mustChange) throw new Error('the user must change the PIN first')
console.log('authorized by ' + claims.sub) // compare it with the owner of the account
