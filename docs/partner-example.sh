#!/bin/sh
# A rate and the list of orders by the partner API, with curl and openssl.
# WHERRY_ORIGIN, WHERRY_PUBLIC_KEY and WHERRY_SECRET_KEY name the server and an API key.
set -eu

# get PATH: a signed GET, version 2
get() {
  # In milliseconds, by GNU date or Perl: a signature is taken once, so equal calls need time stamps of their own.
  timestamp="$(date +%s%3N | grep -Ex '[0-9]{13}' || perl -MTime::HiRes=time -e 'printf "%d", 1000 * time')"
  empty=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
  signature="$(printf '%s\nGET\n%s\n%s\n%s' "$timestamp" "$1" "$empty" "$WHERRY_PUBLIC_KEY" |
    openssl dgst -sha256 -hmac "$WHERRY_SECRET_KEY" -binary | base64)"
  curl -sS --fail-with-body "$WHERRY_ORIGIN$1" -H "X-Api-Public-Key: $WHERRY_PUBLIC_KEY" -H "X-Api-Timestamp: $timestamp" \
    -H "X-Api-Signature: $signature" -H "X-Api-Signature-Version: 2"
  echo
}

get "/api/v2/partner/rates?instrumentFromSlug=eth&instrumentToSlug=usdt-erc20&claimedDepositAmount=0.5"
get "/api/v2/partner/orders?limit=10"
