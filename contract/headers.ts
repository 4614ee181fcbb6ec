// Apart from the schemas of the sandbox's calls: an order's page needs no zod before it is hydrated.

/** On every answer of the API: the business clock when it was given, ISO-8601 UTC. */
export const SERVER_TIME_HEADER = "server-time";

/** Carries the page's own token: the call comes from our page, not from another site or through a proxy (contract §7). */
export const SANDBOX_TOKEN_HEADER = "x-sandbox-token";
/** The name of the `meta` that holds it. */
export const SANDBOX_TOKEN_META = "sandbox-token";
