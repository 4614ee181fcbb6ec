/** What the document says of signing, in the header's own description and in the introduction. */
export const SIGNING = `\`X-Api-Signature\` is base64(HMAC-SHA256(secret, text)).

Version 2 does everything. Its text is these five lines, joined by \\n: the time stamp, the method, the path with its query as it is sent, the hex SHA-256 of the body's exact bytes
(none for a GET), and the public key. Version 1 signs the time stamp, the body and the public key, with nothing between them; it reads, and creates orders, and nothing else.`;

/** The document's introduction, in Markdown; the reference shows it above the calls. */
export const INTRODUCTION = `## Signing

Every call is signed with an API key of the account and has these headers:

- \`X-Api-Public-Key\`: the key's public part, \`wk_…\`.
- \`X-Api-Timestamp\`: milliseconds since 1970, at most 30 s from the server's real clock, which a sandbox's moved clock doesn't change.
- \`X-Api-Signature\`: see below.
- \`X-Api-Signature-Version\`: \`2\`; absent or \`1\` for version 1.

${SIGNING}

Signatures of version 2, and of creations by version 1, are taken once: sign each attempt anew. Equal calls differ by their time stamps alone, so two programs with one key may
make the same signature in one millisecond: the second one is \`ERR_UNAUTHORIZED\` with \`"X-Api-Signature"\` in \`data\`. Nothing was done: sign it again with another time stamp,
some milliseconds off at random. Any other call that isn't signed rightly, in time, and from an address of the key's list is \`ERR_UNAUTHORIZED\`, whatever is wrong with it.

\`\`\`
target=/api/v2/partner/balances
timestamp="$(date +%s%3N | grep -Ex '[0-9]{13}' || perl -MTime::HiRes=time -e 'printf "%d", 1000 * time')"
digest="$(printf '' | openssl dgst -sha256 -r | cut -d ' ' -f 1)"
signature="$(printf '%s\\nGET\\n%s\\n%s\\n%s' "$timestamp" "$target" "$digest" "$WHERRY_PUBLIC_KEY" |
  openssl dgst -sha256 -hmac "$WHERRY_SECRET_KEY" -binary | base64)"
curl "$WHERRY_ORIGIN$target" -H "X-Api-Public-Key: $WHERRY_PUBLIC_KEY" -H "X-Api-Timestamp: $timestamp" \\
  -H "X-Api-Signature: $signature" -H 'X-Api-Signature-Version: 2'
\`\`\`

## Conventions

Amounts, prices and fees are decimal strings; what ends in \`Units\` is the amount of the same name in its chain's smallest unit. Times are ISO 8601 in UTC; yours may have
any offset. A field or parameter that a call doesn't have is ignored: see in the answer (\`markupBps\`, \`externalId\`) what was taken. Instruments are named by slug or by CAIP-19. Each answer has \`RateLimit\` headers.

A failure has a code in \`status\`; what it means is under Failures. A rate or a creation that is refused names every reason in \`data.reasons\`, each with the nearest amounts
of both coins that can be had.

In a sandbox \`POST orders\` takes a \`sandboxOutcome\`: the sandbox then pays the order itself. \`slow\`: after the fixed rate's time (move it with \`POST /sandbox/clock\`);
\`wrong-amount\`: a tenth less; \`volatility\`: the market has fallen by more than the fixed rate bears, for this order alone; \`partner-fails\`: the provider that was to fill it
refuses, and another one does; \`refund\`: less than the minimum, and after 15 s of \`INFO_NEEDED\` the deposit is asked back.`;

/** What the document says of deliveries. */
export const DELIVERIES = `Sent to each webhook of the account whenever something is decided for one of its orders. Answer 2xx within 10 s.

- Check \`X-Wherry-Signature: t=…,v1=…\` before you read the body: \`v1\` is the hex HMAC-SHA256, with the webhook's secret, of \`t\`, a full stop and the body's exact bytes. \`t\`
  counts seconds since 1970 and should be of the last five minutes. \`isWherryWebhook\` of the TypeScript client checks both.
- \`data\` is the order as it is when the delivery is made, so that several deliveries of one order may carry the same newest state. Tell them apart by \`data.orderId\` and \`data.state\`, not by \`id\` alone.
- Each is delivered at least once, and those of one order come in its order. What wasn't answered 2xx is tried again for 72 h, and can be sent again by hand after that: with the body that it had.
- A delivery of type \`test\` has an empty \`data\`.`;
