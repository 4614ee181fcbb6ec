import { Router } from "wouter";
import { WordsContext } from "../shared/i18n/index.ts";
import type { Translator } from "../shared/i18n/translator.ts";
import { localeBase } from "../shared/i18n/locale.ts";
import "../shared/ui/tokens.css";
import "../shared/ui/base.css";
import { AppRoot } from "../shared/ui/index.ts";
import { Frame } from "./layout/frame.tsx";
import { useNormalLocation, withoutTrailingSlash } from "./router/normal-location.ts";
import { type PageState, usePageState } from "./router/use-page-state.ts";

export type AppProps = {
  readonly words: Translator;
  readonly initial: PageState;
  /** Path (with its language prefix) and query, on the server only. */
  readonly ssrPath?: string;
  readonly ssrSearch?: string;
};

/** The app for one request or one page load. */
export const App = ({ words, initial, ssrPath, ssrSearch }: AppProps) => (
  <WordsContext value={words}>
    <Router
      base={localeBase(words.locale)}
      hook={useNormalLocation}
      hrefs={withoutTrailingSlash}
      {...(ssrPath === undefined ? {} : { ssrPath })}
      {...(ssrSearch === undefined ? {} : { ssrSearch })}
    >
      <AppRoot>
        <CurrentPage initial={initial} />
      </AppRoot>
    </Router>
  </WordsContext>
);

const CurrentPage = ({ initial }: Pick<AppProps, "initial">) => <Frame {...usePageState(initial)} />;
