import { classNames } from "../../shared/ui/index.ts";
import { formatChange } from "./model/format-price.ts";
import "./change.css";

/** How a price has changed; its sign says it without the colour. */
export function Change({ percent }: { readonly percent: string | null }) {
  const isFall = percent?.startsWith("-") === true;
  const isRise = percent !== null && percent !== "0" && !isFall;
  return (
    <span className={classNames("w-change w-number", isRise && "w-change--rise", isFall && "w-change--fall")}>
      {formatChange(percent)}
    </span>
  );
}
