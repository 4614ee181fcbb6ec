import { setTimeout as wait } from "node:timers/promises";
import { calls } from "#contract/calls.ts";
import { Api, type Reply, type Request } from "./api.ts";

const LOOK_EVERY_MS = 50;

/** Spreads calls over webs in turn, as a load balancer does: it polls each one's healthz and leaves out those that are not OK. */
export class Balancer extends Api {
  readonly #webs: { api: Api; isUp: boolean }[];
  readonly #polling: Promise<void>;
  #next = 0;
  #isOpen = true;

  /** Requests to healthz use the `webs` as given, with the headers that they add. */
  constructor(webs: readonly Api[]) {
    super(webs[0]?.url ?? "");
    this.#webs = webs.map((api) => ({ api, isUp: true }));
    this.#polling = this.#poll();
  }

  /** How many webs are sent requests now. */
  get up(): number {
    return this.#webs.filter(({ isUp }) => isUp).length;
  }

  override async send(request: Request): Promise<Reply> {
    const up = this.#webs.filter(({ isUp }) => isUp);
    this.#next += 1;
    const web = up[this.#next % up.length];
    if (web === undefined) throw new Error("no web is up");
    return web.api.send(request);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#polling;
  }

  async #poll(): Promise<void> {
    while (this.#isOpen) {
      await Promise.all(
        this.#webs.map(async (web) => {
          web.isUp = await isOk(web.api);
        }),
      );
      await wait(LOOK_EVERY_MS);
    }
  }
}

async function isOk(api: Api): Promise<boolean> {
  try {
    return (await api.send({ method: "GET", path: calls.healthz.path })).status === 200;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false;
  }
}
