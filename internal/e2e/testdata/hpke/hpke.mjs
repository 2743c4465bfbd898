// Encrypts standard input with encrypt.mjs and prints base64.
//
//   printf %s 493817 | node hpke.mjs ALGORITHM PUBLIC-KEY-BYTES OPERATION KEY-ID PASSWORD-AUTH-TYPE
import { readFileSync } from 'node:fs';
import { encrypt } from './encrypt.mjs';

const [algorithm, publicKeyBytes, operation, keyId, passwordAuthType] = process.argv.slice(2);
console.log(await encrypt(readFileSync(0, 'utf8'), { algorithm, publicKeyBytes, keyId }, operation, passwordAuthType));
