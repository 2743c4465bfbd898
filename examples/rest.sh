#!/bin/sh
# A key pair over the REST path, and a passcode set with it. The helper
# encryptDataLikeClient stands in for the client here: it is for trying things
# out, since it sees the plain text. Needs curl and sed.
# Usage: examples/rest.sh [base-url]
set -eu
base=${1:-http://127.0.0.1:8080}
device=tablet-$$

# post PATH BODY
post() {
	curl -sS "$base$1" -H 'Content-Type: application/json' -d "$2"
	echo
}

# graphql QUERY INPUT
graphql() { post /graphql "{\"query\":\"$1\",\"variables\":{\"input\":$2}}"; }

# member NAME ANSWER: a string member of a JSON object, escaped as it stands there.
member() { printf '%s' "$2" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

echo "a key pair for $device"
answer=$(post /api/encryption/keys "{\"deviceId\":\"$device\",\"appVersion\":\"1.0\"}")
printf '%s\n' "$answer"
keyId=$(member keyId "$answer")
publicKey=$(member publicKey "$answer")

echo 'asked again, it is the same one'
again=$(member keyId "$(post /api/encryption/keys "{\"deviceId\":\"$device\"}")")
test "$again" = "$keyId"
printf '%s\n' "$again"

echo 'an invalid request gets an error'
post /api/encryption/keys '{"deviceId":""}'

echo 'encrypt like a client, set a passcode, verify it'
encrypted=$(member encryptedData "$(graphql \
	'mutation($input: EncryptDataPayload!) { encryptDataLikeClient(input: $input) { encryptedData } }' \
	"{\"body\":\"correct horse\",\"publicKey\":\"$publicKey\"}")")
input="{\"encryptedPasscode\":\"$encrypted\",\"keyId\":\"$keyId\",\"passwordAuthType\":\"PASSCODE\"}"
graphql 'mutation($input: EncryptedPasscodeInput!) { setUserPasscode(input: $input) }' "$input"
graphql 'mutation($input: EncryptedVerifyPasscodeInput!) { verifyUserPasscode(input: $input) }' "$input"
