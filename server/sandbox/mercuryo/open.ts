import type { Catalogue } from "../../catalogue/index.ts";
import type { NetworkReader } from "../../chains/port.ts";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../base/logging/log.ts";
import { sandboxMailer } from "../../notifications/index.ts";
import type { Rates } from "../../rates/port.ts";
import type { SandboxNetworks } from "../port.ts";
import { SANDBOX_PROVIDER_API, type SandboxApiParts } from "./api.ts";
import { createSandboxProvider } from "./provider.ts";
import { createSandboxCardStore } from "./store.ts";

type Parts = {
  config: { card: { mercuryo: { url: string; keys: object | null } | null }; publicUrl: string };
  /** Null where no cards are taken. */
  card: { keys: { secret: string; partnerToken: string } } | null;
  database: Database;
  catalogue: Catalogue;
  networks: SandboxNetworks;
  readers: ReadonlyMap<string, NetworkReader>;
  rates: Pick<Rates, "priceUsd">;
  log: Log;
};

/** The card provider that the sandbox plays; null where a real one is configured. */
export function openSandboxCard({ config, card, readers, rates, ...parts }: Parts): SandboxApiParts | null {
  const { database } = parts;
  const { mercuryo } = config.card;
  if (card === null || mercuryo?.keys !== null) return null;
  const apiUrl = mercuryo.url.slice(0, -SANDBOX_PROVIDER_API.length);
  const store = createSandboxCardStore(database);
  const { secret, partnerToken } = card.keys;
  const { priceUsd } = rates;
  const provider = createSandboxProvider({ ...parts, store, readers, priceUsd, apiUrl, secret });
  return { provider, partnerToken, publicUrl: config.publicUrl, mail: sandboxMailer(database) };
}
