import { Router } from "wouter";
import { WordsContext } from "../shared/i18n/index.ts";
import type { Translator } from "../shared/i18n/translator.ts";
import { localeBase } from "../shared/i18n/locale.ts";
import "../shared/ui/tokens.css";
import "../shared/ui/base.css";
import { Root } from "../shared/ui/index.ts";
import { Frame } from "./layout/frame.tsx";
import { tidyHref, useTidyLocation } from "./router/tidy-location.ts";
import { useVisit, type Visit } from "./router/use-visit.ts";

export type AppProps = {
  readonly words: Translator;
  readonly first: Visit;
  /** Path (with its prefix) and query, on the server only. */
  readonly ssrPath?: string;
  readonly ssrSearch?: string;
};

/** The whole app of one request or one page load. */
export const App = ({ words, first, ssrPath, ssrSearch }: AppProps) => (
  <WordsContext value={words}>
    <Router
      base={localeBase(words.locale)}
      hook={useTidyLocation}
      hrefs={tidyHref}
      {...(ssrPath === undefined ? {} : { ssrPath })}
      {...(ssrSearch === undefined ? {} : { ssrSearch })}
    >
      <Root>
        <Visited first={first} />
      </Root>
    </Router>
  </WordsContext>
);

function Visited({ first }: Pick<AppProps, "first">) {
  const { visit, isLoading, retry } = useVisit(first);
  return <Frame visit={visit} isLoading={isLoading} retry={retry} />;
}
