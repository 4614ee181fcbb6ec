import type { CardTerms } from "#contract/card.ts";
import type { PairData } from "#contract/rate.ts";
import { CardNote } from "./card-note.tsx";
import { CardRateLine, CardRows } from "./card-rows.tsx";

export type CardRateProps = {
  readonly rate: PairData;
  readonly terms: CardTerms;
  readonly part: "line" | "rows" | "note";
};

/** The parts of the calculator that a rate by card alone has. */
export function CardRate({ part, ...props }: CardRateProps) {
  if (part === "line") return <CardRateLine {...props} />;
  return part === "rows" ? <CardRows {...props} /> : <CardNote {...props} />;
}
