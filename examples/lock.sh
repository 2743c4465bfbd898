#!/bin/sh
# The guess limit: five wrong PINs lock, also for the right one and for a new
# one, until an operator unlocks. Needs curl, openssl and sed, and for the last
# step the program and its data directory.
# Usage: examples/lock.sh [base-url [data-dir [program]]]
set -eu
base=${1:-http://127.0.0.1:8080}
data=${2:-./data}
program=${3:-bin/strongroom}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM # dash runs no EXIT trap otherwise
device=stolen-$$

# graphql QUERY INPUT
graphql() {
	curl -sS "$base/graphql" -H 'Content-Type: application/json' -d "{\"query\":\"$1\",\"variables\":{\"input\":$2}}"
	echo
}

# member NAME ANSWER: a string member of a JSON object, escaped as it stands there.
member() { printf '%s' "$2" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

# input PIN: the input of set and verify.
input() {
	encrypted=$(printf '%s' "$1" | openssl pkeyutl -encrypt -pubin -inkey "$work/public.pem" \
		-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256 | openssl base64 -A)
	printf '%s' "{\"encryptedPin\":\"$encrypted\",\"keyId\":\"$keyId\",\"passwordAuthType\":\"TRANSACTION_PIN\"}"
}

set_pin() { graphql 'mutation($input: EncryptedTransactionPinInput!) { setTransactionPin(input: $input) }' "$(input "$1")"; }
verify() { graphql 'mutation($input: EncryptedVerifyTransactionPinInput!) { verifyTransactionPin(input: $input) }' "$(input "$1")"; }

answer=$(graphql 'mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId publicKey } }' \
	"{\"deviceId\":\"$device\"}")
keyId=$(member keyId "$answer")
printf '%b' "$(member publicKey "$answer")" >"$work/public.pem"

echo "$device sets the PIN 493817"
set_pin 493817
echo 'five wrong guesses'
for guess in 0000 1111 1234 4321 9999; do verify "$guess"; done
echo 'now the correct PIN is refused too, and no new one can be set'
verify 493817
set_pin 2222
echo 'an operator unlocks'
"$program" admin unlock --data-dir "$data" --device "$device" --type TRANSACTION_PIN --reason 'identified by phone'
verify 493817
