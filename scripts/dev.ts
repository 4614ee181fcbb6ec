import { buildArticles } from "./lib/build.ts";
import { runNode } from "./lib/run.ts";

await buildArticles();
// Node restarts the server when one of its files changes; the server itself serves the app through Vite, which reloads pages.
process.exitCode = await runNode(["--watch", "server/main.ts"], { env: { ...process.env, SITE: "dev" } });
