import { z } from "zod";
import { calls } from "#contract/calls.ts";
import type { Api } from "./api.ts";
import type { PartnerKey } from "./partner-program.ts";

const PASSWORD = "a long enough phrase";

/** The headers of a new account's session by cookies, as its browser sends them. */
export async function signedInHeaders(api: Api, email: string): Promise<{ cookie: string; origin: string }> {
  await api.call("createLocal", { body: { email, password: PASSWORD } });
  const json = { email, password: PASSWORD };
  const { headers } = await api.send({ path: calls.authenticateLocal.path, json });
  return {
    cookie: headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; "),
    origin: api.url,
  };
}

/** An API key of a session. */
export async function apiKeyOf(api: Api, headers: Record<string, string>): Promise<PartnerKey> {
  const answer = await api.call("generateApiKey", { headers, body: { name: "Shop", whiteListIp: "" } });
  return z.object({ apiId: z.string(), publicKey: z.string(), secretKey: z.string() }).parse(answer);
}
