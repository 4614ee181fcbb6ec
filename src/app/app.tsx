import { Router } from "wouter";
import { I18nextProvider } from "react-i18next";
import { type I18n, localeOf } from "../shared/i18n/create-i18n.ts";
import { localeBase } from "#contract/locale.ts";
import "../shared/ui/tokens.css";
import "../shared/ui/base.css";
import "../shared/ui/feedback/start-notice.css";
import "./layout/print.css";
import { Overlays } from "../shared/page/overlays.tsx";
import { HydrationProvider } from "../shared/page/use-hydrated.ts";
import { AppRoot } from "../shared/ui/index.ts";
import { Frame } from "./layout/frame.tsx";
import { useNormalLocation, withoutTrailingSlash } from "./router/normal-location.ts";
import { type FollowSite, type PageState, usePageState } from "./router/use-page-state.ts";

export type AppProps = {
  readonly i18n: I18n;
  readonly initial: PageState;
  /** Of the offline shell only. */
  readonly followSite?: FollowSite | undefined;
  /** Path (with its language prefix) and query, on the server only. */
  readonly ssrPath?: string;
  readonly ssrSearch?: string;
};

/** The app for one request or one page load. */
export const App = ({ i18n, initial, followSite, ssrPath, ssrSearch }: AppProps) => (
  <I18nextProvider i18n={i18n}>
    <HydrationProvider>
      <Router
        base={localeBase(localeOf(i18n))}
        hook={useNormalLocation}
        hrefs={withoutTrailingSlash}
        {...(ssrPath === undefined ? {} : { ssrPath })}
        {...(ssrSearch === undefined ? {} : { ssrSearch })}
      >
        <AppRoot>
          <CurrentPage initial={initial} followSite={followSite} />
          <Overlays />
        </AppRoot>
      </Router>
    </HydrationProvider>
  </I18nextProvider>
);

const CurrentPage = ({ initial, followSite }: Pick<AppProps, "initial" | "followSite">) => (
  <Frame {...usePageState(initial, followSite)} />
);
