#!/bin/sh
# printf %s 493817 | sh encrypt.sh public.pem
set -eu
openssl pkeyutl -encrypt -pubin -inkey "$1" \
  -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256 |
  openssl base64 -A
echo
