import type { Catalogue } from "../catalogue/index.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Log } from "../base/log.ts";
import type { NetworkReader, NetworkWallet } from "../chains/port.ts";
import type { NetworkStatus } from "../chains/network-status.ts";
import type { SandboxNetwork } from "../sandbox/port.ts";

/** A network that this process serves. */
export type OpenNetwork = {
  reader: NetworkReader;
  /** Null without the worker role, and where no keys were given (engine law 14). */
  wallet: NetworkWallet | null;
  /** Null where nobody may play with the network: it is a real one. */
  sandbox: SandboxNetwork | null;
};

/** What a driver is opened with. */
export type DriverParts = {
  config: Config;
  log: Log;
  database: Database;
  catalogue: Catalogue;
  status: NetworkStatus;
};
