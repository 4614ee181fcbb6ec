import { Link, useRouter } from "wouter";
import { useOnline } from "../../shared/browser/connectivity.ts";
import { useTranslation } from "react-i18next";
import { LOCALE_NAMES, LOCALES } from "#contract/locale.ts";
import { Icon, LogoTile } from "../../shared/ui/index.ts";
import { pathInLanguage } from "../router/path-in-language.ts";
import type { PageState } from "../router/use-page-state.ts";
import "./footer.css";
import { LanguageLink } from "./language-menu.tsx";
import { ORDERS_PATH } from "./navigation.ts";

type FooterProps = {
  readonly pageState: PageState;
  /** By the health check. */
  readonly isWorking: boolean;
};

export function Footer({ pageState, isWorking }: FooterProps) {
  const { now } = pageState;
  const { t } = useTranslation("common");
  return (
    <footer className="w-footer">
      <div className="w-page">
        <div className="w-footer__top">
          <div>
            <Link href="/" className="w-footer__brand" aria-label={t("brand.home")}>
              <LogoTile size={32} />
              <span>Wherry</span>
            </Link>
            <p className="w-footer__about">{t("brand.about")}</p>
            <ServiceStatus isWorking={isWorking} />
          </div>
          <FooterLinks pageState={pageState} />
        </div>
        <div className="w-footer__bottom">
          <p>{t("brand.copyright", { year: now.slice(0, 4) })}</p>
          <nav className="w-footer__languages" aria-label={t("language.choose")}>
            <Icon name="globe" size={18} />
            {LOCALES.map((locale) => (
              <LanguageLink key={locale} locale={locale} path={pathInLanguage(pageState, locale)}>
                {LOCALE_NAMES[locale]}
              </LanguageLink>
            ))}
          </nav>
        </div>
      </div>
    </footer>
  );
}

/** Without a network nothing is known of the service. */
function ServiceStatus({ isWorking }: Pick<FooterProps, "isWorking">) {
  const { t } = useTranslation("common");
  const isOnline = useOnline();
  if (!isOnline) return <p className="w-footer__status w-footer__status--unknown">{t("down.unknown")}</p>;
  return isWorking ? <p className="w-footer__status">{t("down.works")}</p> : null;
}

type FooterLink = { readonly label: LinkName; readonly href: string };
type LinkName =
  | "crypto"
  | "popular"
  | "prices"
  | "rates"
  | "how"
  | "affiliate"
  | "cashback"
  | "wallet"
  | "blog"
  | "docs"
  | "roadmap"
  | "source"
  | "miniApp"
  | "swapApi"
  | "widget"
  | "reference"
  | "support"
  | "questions"
  | "orders"
  | "authorities"
  | "terms"
  | "privacy"
  | "aml";

/** Leaves out what this deployment does not have. */
function FooterLinks({ pageState }: { readonly pageState: PageState }) {
  const { miniAppUrl, sourceUrl } = pageState.settings;
  return (
    <div className="w-footer__columns">
      <Column
        name="exchange"
        links={[
          { label: "crypto", href: "/" },
          { label: "popular", href: "/popular-exchanges" },
          { label: "prices", href: "/price" },
          { label: "rates", href: "/#rates" },
          { label: "how", href: "/how-it-works" },
        ]}
      />
      <Column
        name="partners"
        links={[
          { label: "affiliate", href: "/affiliate" },
          { label: "cashback", href: "/cashback" },
          { label: "wallet", href: "/wallet" },
          { label: "swapApi", href: "/swap-api" },
          { label: "widget", href: "/widget" },
          { label: "reference", href: "/docs/api" },
        ]}
      />
      <Column
        name="product"
        links={[
          { label: "blog", href: "/blog" },
          { label: "docs", href: "/docs" },
          { label: "roadmap", href: "/roadmap" },
          ...(sourceUrl === null ? [] : [{ label: "source" as const, href: sourceUrl }]),
          ...(miniAppUrl === null ? [] : [{ label: "miniApp" as const, href: miniAppUrl }]),
        ]}
      />
      <Column
        name="help"
        links={[
          { label: "support", href: "/support" },
          { label: "questions", href: "/#questions" },
          { label: "orders", href: ORDERS_PATH },
          { label: "authorities", href: "/for-competent-authorities" },
          { label: "terms", href: "/terms" },
          { label: "privacy", href: "/privacy" },
          { label: "aml", href: "/aml" },
        ]}
      />
    </div>
  );
}

type ColumnProps = {
  readonly name: "exchange" | "partners" | "product" | "help";
  readonly links: readonly FooterLink[];
};

function Column({ name, links }: ColumnProps) {
  const { t } = useTranslation("common");
  const id = `footer-${name}`;
  return (
    <nav aria-labelledby={id}>
      <p className="w-footer__column" id={id}>
        {t(`footer.${name}`)}
      </p>
      <ul>
        {links.map(({ label, href }) => (
          <li key={label}>
            <FooterAnchor href={href}>{t(`footer.${label}`)}</FooterAnchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The router handles neither anchors inside a page nor addresses outside of the app: those are plain links. */
function FooterAnchor({ href, children }: { readonly href: string; readonly children: string }) {
  const { base } = useRouter();
  if (href.startsWith("/api/") || !href.startsWith("/"))
    return (
      <a href={href} rel="noopener">
        {children}
      </a>
    );
  return href.includes("#") ? <a href={anchorHref(base, href)}>{children}</a> : <Link href={href}>{children}</Link>;
}

/** `/#rates` under `/ru` is `/ru#rates`. */
const anchorHref = (base: string, href: string): string => (base === "" ? href : base + href.replace(/^\/(?=#)/, ""));
