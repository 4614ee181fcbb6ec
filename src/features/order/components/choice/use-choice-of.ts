import { useState } from "react";
import type { Order } from "#contract/order.ts";
import { type Choice, choose, openChoice, type Option, updateFigures } from "../../model/choice.ts";
import type { LiveRefundInfo } from "../../use-refund-info.ts";

/** The owner's choice over figures that may change under it. */
export function useChoiceOf(
  { offer }: Order,
  info: LiveRefundInfo["info"],
): { choice: Choice; choose: (option: Option) => void } {
  const figures = { offer, refund: typeof info === "object" ? info : null };
  const [choice, setChoice] = useState(() => openChoice(figures));
  const seen = updateFigures(choice, figures);
  if (seen !== choice) setChoice(seen);
  return { choice: seen, choose: (option) => setChoice((before) => choose(before, option)) };
}
