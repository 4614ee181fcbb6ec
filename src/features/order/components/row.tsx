import type { ReactNode } from "react";
import "./row.css";

type RowProps = { readonly label: string; readonly detail?: string | undefined; readonly children: ReactNode };

/** One figure with its name; a caption may say how it is meant. */
export const Row = ({ label, detail, children }: RowProps) => (
  <div className="w-order-rows__row">
    <dt>{label}</dt>
    <dd>
      {children}
      {detail === undefined ? null : <span className="w-order-rows__detail">{detail}</span>}
    </dd>
  </div>
);
