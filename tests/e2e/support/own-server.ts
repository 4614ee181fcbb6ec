import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/lib/run.ts";
import { DevnetRpc } from "../../support/chains/devnet-rpc.ts";
import { ServerProcess } from "../../support/processes/server-process.ts";
import { startPartnerNetwork } from "./partner-network.ts";
import { test as base } from "./test.ts";

export type OwnServer = ServerProcess & {
  /** Runs a command of the admin CLI on its database. */
  readonly admin: (...words: string[]) => void;
};

/** Tests that move the clock, stop payments or undo blocks: on a server of their own, since every other test shares one. */
export const test = base.extend<object, { serverOf: string; server: OwnServer }>({
  /** The file whose tests share a server: no other one finds what they did to it. */
  serverOf: ["", { scope: "worker", option: true }],
  server: [
    async ({ serverOf }, give) => {
      const file = join(tmpdir(), `wherry-terms-${serverOf}-${process.pid}.json`);
      const catalogue = JSON.parse(readFileSync(join(root, "server/catalogue/catalogue.json"), "utf8")) as {
        terms: Record<string, unknown>;
      };
      catalogue.terms["refundDelaySeconds"] = 3_600;
      writeFileSync(file, JSON.stringify(catalogue));
      const partner = await startPartnerNetwork();
      const env = { SANDBOX: "on", RATE_LIMIT_READS: "100000", CATALOGUE_FILE: file, ...partner.env };
      const server = await ServerProcess.start(env);
      const admin = (...words: string[]) =>
        void execFileSync(process.execPath, [join(root, "server/admin-cli.ts"), ...words], {
          env: { ...process.env, ...env, DATA_DIR: server.dataDir },
          stdio: ["ignore", "ignore", "inherit"],
        });
      await give(Object.assign(server, { admin }));
      await server.end();
      await partner.stop();
      rmSync(file);
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ server }, give) => give(server.url),
  chain: async ({ server }, give) => give(new DevnetRpc(server.rpcUrl)),
});
