import { Link, useRouter } from "wouter";
import { useTranslation } from "react-i18next";
import type { PageState } from "../router/use-page-state.ts";
import { ORDERS_PATH } from "./sections.ts";

type FooterLink = { readonly words: LinkWords; readonly href: string };
type LinkWords = "crypto" | "popular" | "rates" | "how" | "source" | "miniApp" | "api" | "questions" | "orders";

/** Columns of what there is: a place that this service doesn't have isn't named. */
export function FooterLinks({ pageState }: { readonly pageState: PageState }) {
  const { miniAppUrl, sourceUrl } = pageState.settings;
  return (
    <div className="w-footer__columns">
      <Column
        name="exchange"
        links={[
          { words: "crypto", href: "/" },
          { words: "popular", href: "/popular-exchanges" },
          { words: "rates", href: "/#rates" },
        ]}
      />
      <Column
        name="product"
        links={[
          { words: "how", href: "/#steps" },
          ...(sourceUrl === null ? [] : [{ words: "source" as const, href: sourceUrl }]),
          ...(miniAppUrl === null ? [] : [{ words: "miniApp" as const, href: miniAppUrl }]),
          { words: "api", href: "/api/openapi.json" },
        ]}
      />
      <Column
        name="help"
        links={[
          { words: "questions", href: "/#questions" },
          { words: "orders", href: ORDERS_PATH },
        ]}
      />
    </div>
  );
}

type ColumnProps = { readonly name: "exchange" | "product" | "help"; readonly links: readonly FooterLink[] };

function Column({ name, links }: ColumnProps) {
  const { t } = useTranslation("common");
  const id = `footer-${name}`;
  return (
    <nav aria-labelledby={id}>
      <p className="w-footer__column" id={id}>
        {t(`footer.${name}`)}
      </p>
      <ul>
        {links.map(({ words, href }) => (
          <li key={words}>
            <FooterAnchor href={href}>{t(`footer.${words}`)}</FooterAnchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The router knows neither a place inside a page nor what lies outside the app: those are the browser's own links. */
function FooterAnchor({ href, children }: { readonly href: string; readonly children: string }) {
  const { base } = useRouter();
  if (href.startsWith("/api/") || !href.startsWith("/"))
    return (
      <a href={href} rel="noopener">
        {children}
      </a>
    );
  return href.includes("#") ? <a href={inPage(base, href)}>{children}</a> : <Link href={href}>{children}</Link>;
}

/** `/#rates` under `/ru` is `/ru#rates`. */
const inPage = (base: string, href: string): string => (base === "" ? href : base + href.replace(/^\/(?=#)/, ""));
