import type { ReactNode } from "react";

/** As high as a chart with its reading and its table: what is below stays where it is while one is loaded. */
export const ChartSpace = ({ children }: { readonly children?: ReactNode }) => (
  <>
    <div className="w-chart__frame">
      <p className="w-chart__reading" />
      <div className="w-chart__drawing">{children}</div>
    </div>
    <div className="w-chart__table-space" />
  </>
);
