import { type ReactNode, Suspense } from "react";
import { lazyWithPreload } from "../../../shared/page/lazy-with-preload.tsx";
import "./home-page.css";
import "./hero.css";
import "./latest-exchanges.css";
import "./stats-row.css";
import "./three-steps.css";
import "./questions.css";
// With the page, because the server renders the parts that they style.
import "./app-band.css";
import "./rates-table.css";

const SECTIONS = "src/features/home/landing/home-sections.tsx";

/** Beside the calculator and below it: readable as rendered by the server, hydrated after the calculator. */
export const homeHero = lazyWithPreload(SECTIONS, async () => (await import("./home-sections.tsx")).HomeHero, ["home"]);
export const homeSections = lazyWithPreload(SECTIONS, async () => (await import("./home-sections.tsx")).HomeSections, [
  "home",
]);

/** `/`: the calculator and the sections around it. */
export const HomePage = ({ calculator }: { readonly calculator: ReactNode }) => (
  <div className="w-home">
    <div className="w-home__first">
      <div className="w-page w-home__top">
        <div className="w-home__calculator">{calculator}</div>
        <Suspense>
          <homeHero.Component />
        </Suspense>
      </div>
    </div>
    <Suspense>
      <homeSections.Component />
    </Suspense>
  </div>
);
