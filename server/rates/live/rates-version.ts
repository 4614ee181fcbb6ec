import type { Log } from "../../base/logging/log.ts";
import { nullWithoutPrice, type Rates } from "../port.ts";

/** What changes with time alone, as whether a network stands still, is seen after this. */
const LOOK_EVERY_MS = 1_000;

/** Tells whether a rate may differ from one that was given before: equal versions, equal rates. */
export type RatesVersion = {
  /** Called when anything changes that a rate is made of: prices, networks, switches, balances. */
  bump(): void;
  /** The version of rates now; throws while nothing can be quoted. */
  ofRates(): string;
  /** The version of what is shown with prices where there are some. */
  ofPrices(): string;
};

export function createRatesVersion(
  rates: () => Pick<Rates, "snapshot">,
  log: Log,
  now: () => number = () => performance.now(),
): RatesVersion {
  let changes = 0;
  const version = (state: string): string => `${state} ${changes} ${Math.floor(now() / LOOK_EVERY_MS)}`;
  return {
    bump: () => void (changes += 1),
    ofRates: () => {
      rates().snapshot();
      return version("priced");
    },
    ofPrices: () => version(nullWithoutPrice(() => rates().snapshot(), log) === null ? "unpriced" : "priced"),
  };
}
