import * as z from "zod/mini";
import { parseJson, persisted } from "../../../shared/browser/storage.ts";

const MAX_COINS = 6;

const savedSchema = z.array(z.unknown());
const slugSchema = z.string();

const state = persisted<readonly string[]>("recent-coins:v1", readSlugs, (slugs) => JSON.stringify(slugs));

/** What something else has written among the slugs is left out. */
function readSlugs(saved: string | null): readonly string[] {
  const items = parseJson(saved ?? "[]", savedSchema) ?? [];
  return items.flatMap((item) => slugSchema.safeParse(item).data ?? []).slice(0, MAX_COINS);
}

/** The slugs that were chosen last on this device, the newest first. */
export const recentCoins = (): readonly string[] => state.value;

export function rememberCoin(slug: string): void {
  state.value = [slug, ...state.value.filter((other) => other !== slug)].slice(0, MAX_COINS);
}
