const WIDTH = 96;
const HEIGHT = 32;
const EDGE = 2;

/** The last day of a price at a glance; its figures stand beside it. */
export function SparkLine({ prices }: { readonly prices: readonly (string | null)[] }) {
  const values = prices.map((price) => (price === null ? null : Number(price)));
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (at: number) => EDGE + (at / (values.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  // A gap lifts the pen.
  const path = values
    .map((value, at) =>
      value === null ? "" : `${values[at - 1] == null ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join("");
  const isFall = (known.at(-1) ?? 0) < (known[0] ?? 0);
  return (
    <svg className="w-spark" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke={isFall ? "var(--text-2)" : "var(--accent)"}
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
    </svg>
  );
}
