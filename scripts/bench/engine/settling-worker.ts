import { openDatabase } from "../../../server/db/database.ts";
import { createLog } from "../../../server/base/logging/log.ts";
import { settlingEngine } from "./settling-engine.ts";

/** As long as the worker's own loops wait for the next due row at most. */
const IDLE_MS = 20;

/** A worker of the benchmark: the job loops of one process, until it is asked to stop; it answers with the processor time it took. */
const database = openDatabase(process.argv[2] ?? "", {
  max: 16,
  log: createLog({ level: "error" }),
  applicationName: "wherry-bench-worker",
});
const { engine } = await settlingEngine(database);
const stopping = new AbortController();
const repeat = async (turn: () => Promise<boolean>): Promise<void> => {
  while (!stopping.signal.aborted) if (!(await turn())) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
};

const begun = Promise.withResolvers<void>();
process.on("message", (message) => {
  if (message === "begin") begun.resolve();
  if (message === "stop") stopping.abort();
});
process.send?.("ready");
await begun.promise;
const before = process.cpuUsage();
await Promise.all([
  repeat(engine.runOrders),
  ...engine.paymentNetworks.map((network) => repeat(() => engine.runPayouts(network))),
]);
const { user, system } = process.cpuUsage(before);
process.send?.({ cpuMs: (user + system) / 1000 });
await database.close();
process.disconnect();
