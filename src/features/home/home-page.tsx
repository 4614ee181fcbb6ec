import type { ReactNode } from "react";
import { latePart } from "../../shared/page/late-part.tsx";
import "./home-page.css";
// With the page, since what they dress is read before its code comes.
import "./parts/app-band.css";
import "./parts/rates-table.css";

/** What stands beside the calculator and below it. */
export const lateHero = latePart(["home"], async () => (await import("./home-late.tsx")).HomeHero);
export const lateParts = latePart(["home"], async () => (await import("./home-late.tsx")).HomeRest);

/** `/`: the calculator, and what backs it. */
export const HomePage = ({ calculator }: { readonly calculator: ReactNode }) => (
  <div className="w-home">
    <div className="w-home__first">
      <div className="w-page w-home__top">
        <div className="w-home__calculator">{calculator}</div>
        <lateHero.Component />
      </div>
    </div>
    <lateParts.Component />
  </div>
);
