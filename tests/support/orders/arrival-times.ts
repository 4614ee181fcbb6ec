import type { Catalogue } from "../../../server/catalogue/index.ts";
import { createArrivalTimes } from "../../../server/rates/arrival.ts";
import type { ArrivalTimes } from "../../../server/rates/port.ts";

/** By the catalogue alone: no payout was measured. */
export const arrivalTimesOf = ({ networks }: Pick<Catalogue, "networks">): ArrivalTimes =>
  createArrivalTimes({
    blockSeconds: (network) => networks.get(network)?.knownBlockSeconds ?? null,
    measuredSeconds: () => null,
  });
