#!/bin/sh
# A rate and the list of orders by the partner API, with curl and openssl.
# WHERRY_ORIGIN, WHERRY_PUBLIC_KEY and WHERRY_SECRET_KEY name the server and an API key.
set -eu

# get PATH: a signed GET, version 2
get() {
  timestamp="$(date +%s)000"
  empty=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
  signature="$(printf '%s\nGET\n%s\n%s\n%s' "$timestamp" "$1" "$empty" "$WHERRY_PUBLIC_KEY" |
    openssl dgst -sha256 -hmac "$WHERRY_SECRET_KEY" -binary | base64)"
  curl -sS --fail-with-body "$WHERRY_ORIGIN$1" -H "X-Api-Public-Key: $WHERRY_PUBLIC_KEY" -H "X-Api-Timestamp: $timestamp" \
    -H "X-Api-Signature: $signature" -H "X-Api-Signature-Version: 2"
  echo
}

get "/api/v2/partner/rates?instrumentFromSlug=eth&instrumentToSlug=usdt-erc20&claimedDepositAmount=0.5"
get "/api/v2/partner/orders?limit=10"
