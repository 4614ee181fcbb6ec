import { formatChange } from "../../format/format-change.ts";
import { classNames } from "../class-names.ts";
import "./change.css";

/** How a price has changed, in percent; its arrow and its sign say it without the colour. Null: it is unknown. */
export function Change({ percent }: { readonly percent: string | null }) {
  const isFall = percent?.startsWith("-") === true;
  const isRise = percent !== null && percent !== "0" && !isFall;
  return (
    <span className={classNames("w-change w-number", isRise && "w-change--rise")}>
      {isRise || isFall ? <span aria-hidden="true">{isRise ? "↑" : "↓"} </span> : null}
      {formatChange(percent)}
    </span>
  );
}
