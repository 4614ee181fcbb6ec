import { claimDataDir } from "./data-dir.ts";
import type { Config } from "./config.ts";
import { openHouse, type Closers } from "./house.ts";
import type { Log } from "./log.ts";
import { repeat } from "./loop.ts";
import { startBoardReader } from "./rates/board-reader.ts";
import { startWeb } from "./web.ts";
import { startWorker, type Worker } from "./worker.ts";

const LOOK_AT_HEADS_EVERY_MS = 2_000;
const REFRESH_TREASURY_EVERY_MS = 2_000;
const REFRESH_CLOCK_EVERY_MS = 1_000;

export type Running = {
  /** Where the site answers; null without the web role. */
  url: string | null;
  /** Drains what runs and closes everything, newest first. */
  stop(): Promise<void>;
};

/** Starts what ROLES asks for on this DATA_DIR. What was started before a failure is stopped again. */
export async function startRoles(config: Config, log: Log, options: { isDev: boolean }): Promise<Running> {
  const open: (() => Promise<void>)[] = [];
  const closers: Closers = { add: (close) => void open.push(close) };
  const stop = async () => {
    for (const close of open.splice(0).reverse()) await close();
  };
  try {
    return { url: await startInOrder(config, log, options, closers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startInOrder(
  config: Config,
  log: Log,
  options: { isDev: boolean },
  closers: Closers,
): Promise<string | null> {
  const claim = await claimDataDir(config.dataDir);
  closers.add(() => claim.release());

  let worker: Worker | null = null;
  const house = await openHouse(config, log, closers, () => worker?.wake());
  for (const [network, reader] of house.readers) {
    const loop = repeat(`head ${network}`, LOOK_AT_HEADS_EVERY_MS, () => reader.head(), log);
    closers.add(() => loop.stop());
  }
  const refresh = () => Promise.all([house.switches.refresh(), house.stock.refresh()]);
  await refresh();
  const treasury = repeat("treasury view", REFRESH_TREASURY_EVERY_MS, refresh, log);
  closers.add(() => treasury.stop());
  if (config.roles.worker) {
    worker = await startWorker(house);
    closers.add(worker.stop);
  } else {
    const boards = startBoardReader(house.boards, log);
    const clock = repeat("clock", REFRESH_CLOCK_EVERY_MS, () => house.clock.refresh(), log);
    closers.add(async () => void (await Promise.all([boards.stop(), clock.stop()])));
  }
  if (!config.roles.web) return null;

  const takePrices = async () => worker?.boardMaker.make();
  await startWeb(house, { isDev: options.isDev, takePrices }, closers);
  return `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${config.port}`;
}
