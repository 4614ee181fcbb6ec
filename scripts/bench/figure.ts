export type Unit = "kB" | "MB" | "ms" | "×" | "req/s" | "msg/s" | "rows/s" | "tx/s" | "%" | "" | "shift";

/** A measured number in its unit (sizes in bytes, times in milliseconds), beside what it should be. */
export type Figure = {
  name: string;
  value: number;
  unit: Unit;
  /** The budget, or the goal: at most so much, or at least so much. */
  goal?: { atMost: number } | { atLeast: number };
};

export type Verdict = "ok" | "OVER" | "BELOW" | "";

/** Judges a figure by its goal; empty without one. A figure that is no number never passes. */
export function judge({ value, goal }: Figure): Verdict {
  if (goal === undefined) return "";
  if ("atMost" in goal) return value <= goal.atMost ? "ok" : "OVER";
  return value >= goal.atLeast ? "ok" : "BELOW";
}

export const isMissed = (figure: Figure): boolean => judge(figure) === "OVER" || judge(figure) === "BELOW";

export function formatValue(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return "none";
  switch (unit) {
    case "kB":
      return `${(value / 1000).toFixed(1)} kB`;
    case "MB":
      return `${(value / 1_000_000).toFixed(0)} MB`;
    case "ms":
      return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
    case "×":
      return `${value.toFixed(2)} ×`;
    case "%":
      return `${value.toFixed(2)} %`;
    case "tx/s":
      return `${value.toFixed(1)} tx/s`;
    case "shift":
      return value.toFixed(3);
    case "":
      return value.toFixed(0);
    case "req/s":
    case "msg/s":
    case "rows/s":
      return `${Math.round(value).toLocaleString("en-US")} ${unit}`;
  }
}

export function formatGoal({ goal, unit }: Figure): string {
  if (goal === undefined) return "";
  return "atMost" in goal ? `≤ ${formatValue(goal.atMost, unit)}` : `≥ ${formatValue(goal.atLeast, unit)}`;
}
