import { migrate } from "../../../server/db/migrate.ts";
import { copyFinishedOrders } from "./finished-orders.ts";
import { openRecordedDatabase, type RecordedDatabase } from "./recorded-database.ts";
import { steadyEngine, type SteadyEngine } from "./steady-engine.ts";
import { finishTemplates } from "./template-orders.ts";

export type SizedDatabase = RecordedDatabase & { size: number; engine: SteadyEngine };

/** An empty database with about `size` finished orders of every kind and a few active ones; `url` is of a user who may skip triggers. */
export async function openSizedDatabase(
  resources: AsyncDisposableStack,
  url: string,
  size: number,
): Promise<SizedDatabase> {
  const recorded = openRecordedDatabase(resources, url);
  await migrate(recorded.database);
  const engine = await steadyEngine(recorded.database);
  await finishTemplates(engine);
  const superuser = new URL(url);
  superuser.username = "postgres";
  await copyFinishedOrders(superuser.href, size);
  await engine.startActive();
  return { ...recorded, size, engine };
}
