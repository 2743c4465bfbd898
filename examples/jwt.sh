#!/bin/sh
# Callers with tokens: an identity provider made by openssl, a service that
# believes it, two users with the same deviceId, a stolen device that locks
# itself, and a reset. Starts a service of its own on a new data directory.
# Needs curl, openssl, sed and the program; docs/callers.md shows and explains it.
# Nothing may answer at its two addresses: stop `make run`, or name others.
# Usage: examples/jwt.sh [program [listen [admin-listen]]], for example
#        examples/jwt.sh bin/strongroom 127.0.0.1:9080 127.0.0.1:9081
(
set -eu
program=${1:-bin/strongroom} listen=${2:-127.0.0.1:8080} admin=${3:-127.0.0.1:8081}
dir=$(mktemp -d) server=
trap 'test -z "$server" || kill $server 2> "$dir/log" || :; wait; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

for address in "$listen" "$admin"; do
  found=0
  curl -s -m 2 -o "$dir/other" "http://$address/" || found=$?
  if [ $found != 7 ]; then
    echo "Something answers at $address already: stop it, or name other addresses" >&2
    exit 1
  fi
done

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

echo '1. An identity provider: its key, and the public half as a key set'
openssl genrsa -out "$dir/provider.pem" 2048 2> "$dir/log"
modulus=$(openssl rsa -in "$dir/provider.pem" -pubout -outform DER 2> "$dir/log" | tail -c 261 | head -c 256 | base64url)
printf '{"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"key-1","n":"%s","e":"AQAB"}]}' "$modulus" > "$dir/jwks.json"

echo '2. A service that takes its tokens'
"$program" serve --data-dir "$dir/data" --listen "$listen" --admin-listen "$admin" --log-level error \
  --accounts jwt --jwt-issuer https://login.example.com --jwt-audience strongroom --jwt-jwks "$dir/jwks.json" &
server=$!
until curl -fs -o "$dir/ready" "http://$listen/readyz"; do kill -0 $server 2> "$dir/log"; sleep 1; done

token() {
  head=$(printf '{"alg":"RS256","typ":"at+jwt","kid":"key-1"}' | base64url)
  claims=$(printf '{"iss":"https://login.example.com","aud":"strongroom","sub":"%s","exp":%d,"scope":"%s"}' \
    "$1" $(($(date +%s) + 300)) "$2" | base64url)
  signature=$(printf '%s' "$head.$claims" | openssl dgst -sha256 -sign "$dir/provider.pem" | base64url)
  printf '%s' "$head.$claims.$signature"
}

call() {
  printf 'Authorization: Bearer %s\n' "$1" | curl -sS "http://$listen/graphql" -H @- -H 'Content-Type: application/json' \
    -d "{\"query\":\"$2\",\"variables\":{\"input\":$3}}"
}

key() {
  answer=$(call "$1" 'mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId publicKey } }' "{\"deviceId\":\"$2\"}")
  keyId=$(printf '%s' "$answer" | sed 's/.*"keyId":"\([^"]*\)".*/\1/')
  printf '%b' "$(printf '%s' "$answer" | sed 's/.*"publicKey":"\([^"]*\)".*/\1/')" > "$dir/$keyId.pem"
}

pin() {
  encrypted=$(printf '%s' "$4" | openssl pkeyutl -encrypt -pubin -inkey "$dir/$3.pem" \
    -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256 | openssl base64 -A)
  input='{"encryptedPin":"'$encrypted'","keyId":"'$3'","passwordAuthType":"TRANSACTION_PIN"}'
  case $2 in
  set) call "$1" 'mutation($input: EncryptedTransactionPinInput!) { setTransactionPin(input: $input) }' "$input" ;;
  verify) call "$1" 'mutation($input: EncryptedVerifyTransactionPinInput!) { verifyTransactionPin(input: $input) }' "$input" ;;
  esac
  echo
}

echo '3. Without a token'
curl -sS -w '%{http_code}\n' "http://$listen/graphql" -H 'Content-Type: application/json' -d '{"query":"{ __typename }"}'

echo '4. Alice sets a PIN on her phone, and verifies it on her tablet too'
alice=$(token alice '') bob=$(token bob '')
key "$alice" phone && phone=$keyId
key "$alice" tablet && tablet=$keyId
pin "$alice" set "$phone" 493817
pin "$alice" verify "$phone" 493817
pin "$alice" verify "$tablet" 493817

echo '5. Bob names the same deviceId: the key is another one, there is no PIN, and the first key is unknown'
key "$bob" phone
pin "$bob" verify "$keyId" 493817
pin "$bob" verify "$phone" 493817

echo '6. Her tablet is stolen: three wrong guesses lock it, and her phone goes on'
for guess in 000000 111111 123456; do pin "$alice" verify "$tablet" $guess; done
pin "$alice" verify "$tablet" 493817
pin "$alice" verify "$phone" 493817

echo '7. It is found. With a token that may reset, a new PIN is set there and ends the lock'
pin "$alice" set "$tablet" 271828
pin "$(token alice credential:reset)" set "$tablet" 271828
pin "$alice" verify "$tablet" 271828
)
