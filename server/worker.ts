import type { House } from "./house.ts";
import { repeat, startLoop, type Loop } from "./loop.ts";
import { startMailing } from "./notifications/index.ts";
import { createBoardMaker, type BoardMaker } from "./rates/board-maker.ts";
import { createNetworkFees } from "./rates/fees.ts";
import { createMarketOverrides } from "./rates/market/overrides.ts";
import { createMarketPrices } from "./rates/market/prices.ts";
import { createSandboxMarket } from "./rates/market/sandbox.ts";
import { watchTreasury } from "./treasury-watch.ts";

const TURN_EVERY_MS = 500;
const SWEEP_TURN_EVERY_MS = 2_000;
const COLLECT_EVERY_MS = 15_000;

export type Worker = { boardMaker: BoardMaker; wake(): void; stop(): Promise<void> };

/** The role that follows chains, moves orders on and signs: the only one with keys (engine law 14). */
export async function startWorker(house: House): Promise<Worker> {
  const { database, clock, log, engine, readers } = house;
  const boardMaker = createBoardMaker({
    boards: house.boards,
    market: createMarketPrices({
      // Without the sandbox no feed is built in yet: nothing is quoted rather than something made up.
      feeds: house.config.sandbox ? [createSandboxMarket()] : [],
      overrides: createMarketOverrides(database),
      log,
    }),
    fees: createNetworkFees({ instruments: house.catalogue.instruments.values(), networks: readers, log }),
    clock,
    log,
  });
  await boardMaker.start();

  const mailing = startMailing(house);
  const loops: Loop[] = [
    startLoop("orders", TURN_EVERY_MS, () => engine.sweepOrders(), log),
    startLoop("payouts", TURN_EVERY_MS, () => engine.sweepPayouts(), log),
  ];
  const sweepers = [...loops];
  loops.push(startLoop("sweeps", SWEEP_TURN_EVERY_MS, () => engine.moveDeposits(), log));
  loops.push(repeat("sweep plans", COLLECT_EVERY_MS, () => engine.collectDeposits(), log));
  loops.push(...(await watchTreasury(house)));
  for (const [network, follower] of engine.followers) {
    loops.push(startLoop(`follower ${network}`, TURN_EVERY_MS, () => follower.turn(), log));
  }
  return {
    boardMaker,
    wake: () => {
      for (const loop of sweepers) loop.wake();
    },
    stop: async () => {
      await Promise.all([boardMaker.stop(), mailing?.stop(), ...loops.map((loop) => loop.stop())]);
    },
  };
}
