import type { PushServices } from "./port.ts";

/**
 * Whether a subscription's endpoint may be sent to: HTTPS on the default port of a known push service, by name, or the sandbox's own
 * service. The subscriber chooses the endpoint, so everything else is refused.
 */
export function isPushEndpoint(endpoint: string, { services, sandboxService }: PushServices): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (sandboxService !== null && url.origin === sandboxService) return true;
  if (url.protocol !== "https:" || url.port !== "") return false;
  return services.some((name) => url.hostname === name || url.hostname.endsWith(`.${name}`));
}
