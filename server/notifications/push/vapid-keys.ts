import webPush from "web-push";
import type { Database } from "../../db/database.ts";
import type { PushKeys } from "./port.ts";

/** The configured keys, or those of the sandbox, which its first start generates for all of its processes. */
export async function openPushKeys(configured: PushKeys | null, { kysely }: Database): Promise<PushKeys> {
  if (configured !== null) return configured;
  const made = webPush.generateVAPIDKeys();
  await kysely
    .insertInto("sandbox_push_keys")
    .values({ public_key: made.publicKey, private_key: made.privateKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await kysely.selectFrom("sandbox_push_keys").selectAll().executeTakeFirstOrThrow();
  return { publicKey: stored.public_key, privateKey: stored.private_key };
}
