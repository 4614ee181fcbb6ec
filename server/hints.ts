import type { Bus } from "./bus/index.ts";
import type { MovableClock } from "./base/clock.ts";
import type { PriceSnapshots } from "./rates/price-snapshot.ts";
import type { Switches } from "./treasury/port.ts";

type Changing = { priceSnapshots: PriceSnapshots; switches: Switches; clock: MovableClock };

/** The same things, whose changes the other processes are told of, so that they needn't wait for their own turn to look. */
export function announced({ priceSnapshots, switches, clock }: Changing, bus: Bus): Changing {
  const after =
    <Given extends unknown[], Answer>(change: (...given: Given) => Promise<Answer>, hint: Parameters<Bus["tell"]>[0]) =>
    async (...given: Given): Promise<Answer> => {
      const answer = await change(...given);
      bus.tell(hint);
      return answer;
    };
  return {
    priceSnapshots: { ...priceSnapshots, publish: after(priceSnapshots.publish, "price-snapshots") },
    switches: {
      ...switches,
      stop: after(switches.stop, "switches"),
      release: after(switches.release, "switches"),
      setRefundOnly: after(switches.setRefundOnly, "switches"),
    },
    clock: { ...clock, advance: after(clock.advance, "clock") },
  };
}
