#!/bin/sh
# Encrypts standard input for Strongroom with OpenSSL and prints base64.
#
#   printf %s 493817 | ./openssl.sh public.pem
#
# The second argument names the OAEP parameters. Use sha256, the default. The
# others show what an openssl call comes to that leaves out an option.
set -eu
case ${2:-sha256} in
sha256) options='-pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256' ;;
sha256-mgf1-sha1) options='-pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha1' ;;
sha1) options='' ;;
*) echo "usage: $0 public.pem [sha256|sha256-mgf1-sha1|sha1]" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086 # the options are several words
openssl pkeyutl -encrypt -pubin -inkey "$1" -pkeyopt rsa_padding_mode:oaep $options | openssl base64 -A
echo
