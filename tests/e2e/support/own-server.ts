import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/lib/run.ts";
import { ServerProcess } from "../../support/server-process.ts";
import { test as base } from "./test.ts";

type OwnServer = {
  /** Runs a command of the admin CLI on its database. */
  readonly admin: (...words: string[]) => void;
};

/** Tests that move the clock or stop payments: on a server of their own, since every other test shares one. */
export const test = base.extend<object, { server: ServerProcess & OwnServer }>({
  server: [
    async ({ browserName: _browser }, give) => {
      const file = join(tmpdir(), `wherry-terms-${process.pid}.json`);
      const catalogue = JSON.parse(readFileSync(join(root, "server/catalogue/catalogue.json"), "utf8")) as {
        terms: Record<string, unknown>;
      };
      catalogue.terms["refundDelaySeconds"] = 600;
      writeFileSync(file, JSON.stringify(catalogue));
      const env = { SANDBOX: "on", CATALOGUE_FILE: file };
      const server = await ServerProcess.start(env);
      const admin = (...words: string[]) =>
        void execFileSync(process.execPath, [join(root, "server/admin-cli.ts"), ...words], {
          env: { ...process.env, ...env, DATA_DIR: server.dataDir },
          stdio: ["ignore", "ignore", "inherit"],
        });
      await give(Object.assign(server, { admin }));
      await server.end();
      rmSync(file);
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ server }, give) => give(server.url),
});
