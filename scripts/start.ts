import { buildIfOld } from "./lib/build.ts";

await buildIfOld();
// In this very process, so that a signal sent to it reaches the server.
await import("../server/main.ts");
