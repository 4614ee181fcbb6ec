import type { Figure } from "../figure.ts";
import { median } from "../../../server/base/median.ts";

/** What was measured right after its floor, so that both met the same machine. */
export type Round = { perSecond: number; p50: number; p99: number; failed: number; floorPerSecond: number };

export type Goals = { perSecond: number; p99: number; ratio?: number };

/** The medians of the rounds beside their goals; the ratio to the floor is the middle one of the rounds' own ratios. */
export function compare(name: string, rounds: readonly Round[], goals: Goals): Figure[] {
  const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
  return [
    {
      name,
      value: median(rounds.map(({ perSecond }) => perSecond)),
      unit: "req/s",
      goal: { atLeast: goals.perSecond },
    },
    { name: "  p50", value: median(rounds.map(({ p50 }) => p50)), unit: "ms" },
    { name: "  p99", value: median(rounds.map(({ p99 }) => p99)), unit: "ms", goal: { atMost: goals.p99 } },
    {
      name: "  ratio to its floor",
      value: median(rounds.map(({ perSecond, floorPerSecond }) => perSecond / floorPerSecond)),
      unit: "×",
      ...(goals.ratio !== undefined && { goal: { atLeast: goals.ratio } }),
    },
    ...(failed > 0 ? [{ name: "  failed answers", value: failed, unit: "" as const, goal: { atMost: 0 } }] : []),
  ];
}
