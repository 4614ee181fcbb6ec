import { I18nextProvider } from "react-i18next";
import { Router } from "wouter";
import { type I18n, localeOf } from "../../shared/i18n/create-i18n.ts";
import { localePath } from "#contract/locale.ts";
import "../../shared/ui/tokens.css";
import "../../shared/ui/base.css";
import "../../shared/ui/feedback/start-notice.css";
import { HydrationProvider } from "../../shared/page/use-hydrated.ts";
import { AppRoot } from "../../shared/ui/index.ts";
import type { EmbedProps } from "./embed-data.ts";
import { EmbedFrame } from "./embed-frame.tsx";
import { useEmbedLocation, useEmbedSearch } from "./embed-location.ts";

type EmbedAppProps = EmbedProps & { readonly i18n: I18n };

/** The widget: one calculator and its order, for one load of the frame. */
export const EmbedApp = ({ i18n, data, api, parent }: EmbedAppProps) => (
  <I18nextProvider i18n={i18n}>
    <HydrationProvider>
      <Router hook={useEmbedLocation} searchHook={useEmbedSearch} hrefs={(href) => localePath(localeOf(i18n), href)}>
        <AppRoot>
          <EmbedFrame data={data} api={api} parent={parent} />
        </AppRoot>
      </Router>
    </HydrationProvider>
  </I18nextProvider>
);
