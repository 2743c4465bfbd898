#!/bin/sh
# One session with a running Strongroom, as a client has it: issue a key,
# encrypt with openssl, set a PIN, verify it, get it wrong, rotate, look at the
# metrics. Needs curl, openssl and sed. Usage: examples/session.sh [base-url]
set -eu
base=${1:-http://127.0.0.1:8080}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM # dash runs no EXIT trap otherwise
device=phone-$$

# graphql QUERY VARIABLES: one POST, as the specification's transport says.
graphql() {
	curl -sS "$base/graphql" -H 'Content-Type: application/json' -d "{\"query\":\"$1\",\"variables\":$2}"
	echo
}

# keep ANSWER: remembers keyId and public key of an answer.
keep() {
	case $1 in
	*'"keyId":"'*) ;;
	*) echo 'The answer has no keyId: see its error above' >&2 && exit 1 ;;
	esac
	keyId=$(printf '%s' "$1" | sed 's/.*"keyId":"\([^"]*\)".*/\1/')
	printf '%b' "$(printf '%s' "$1" | sed 's/.*"publicKey":"\([^"]*\)".*/\1/')" >"$work/public.pem"
}

# encrypt SECRET: RSA-OAEP with SHA-256 for hash and MGF1, as base64.
encrypt() {
	printf '%s' "$1" | openssl pkeyutl -encrypt -pubin -inkey "$work/public.pem" \
		-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256 |
		openssl base64 -A
}

pin() { # pin set|verify SECRET
	case $1 in
	set) op=setTransactionPin type=EncryptedTransactionPinInput ;;
	verify) op=verifyTransactionPin type=EncryptedVerifyTransactionPinInput ;;
	esac
	graphql "mutation(\$input: $type!) { $op(input: \$input) }" \
		"{\"input\":{\"encryptedPin\":\"$(encrypt "$2")\",\"keyId\":\"$keyId\",\"passwordAuthType\":\"TRANSACTION_PIN\"}}"
}

echo "issue a key for $device"
answer=$(graphql 'mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId publicKey } }' \
	"{\"input\":{\"deviceId\":\"$device\",\"appVersion\":\"1.0\"}}")
printf '%s\n' "$answer"
keep "$answer"

echo 'set the PIN 493817';       pin set 493817
echo 'verify 493817';            pin verify 493817
echo 'verify 000000, wrong';     pin verify 000000

echo 'rotate: the old key stops working immediately'
old=$keyId
answer=$(graphql 'mutation($input: ClientIdentityInput!) { rotateClientEncryptionKey(input: $input) { keyId publicKey } }' \
	"{\"input\":{\"deviceId\":\"$device\"}}")
printf '%s\n' "$answer"
keep "$answer"
echo 'verify with the new key';  pin verify 493817
keyId=$old
echo 'verify with the old key';  pin verify 493817

echo 'metrics of the last hour'
graphql 'query($hours: Float) { getEncryptionMetricsSummary(timeframeHours: $hours) }' '{"hours":1}'
