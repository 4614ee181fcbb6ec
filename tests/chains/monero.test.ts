import { afterAll, beforeAll } from "vitest";
import { driverCases } from "./support/monero-driver-cases.ts";
import { startMoneroSetup, type MoneroSetup } from "./support/monero.ts";
import { stuckCases } from "./support/monero-stuck-cases.ts";
import { swapCases } from "./support/monero-swap-cases.ts";

/** The first blocks of a chain take some ten seconds, on a busy machine minutes. */
const START_LIMIT_MS = 900_000;

let setup: MoneroSetup;

beforeAll(async () => {
  setup = await startMoneroSetup();
}, START_LIMIT_MS);
afterAll(() => setup?.end());

// The server's orders begin with the first deposit addresses: they come before the driver's own tests.
swapCases(() => setup);
driverCases(() => setup);
stuckCases(() => setup);
