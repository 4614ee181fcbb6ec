import { Link, useSearch } from "wouter";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../shared/i18n/index.ts";
import { LOCALE_NAMES, LOCALES } from "../../shared/i18n/locale.ts";
import { Icon, LogoTile } from "../../shared/ui/index.ts";
import { hrefIn, type PageState } from "../router/use-page-state.ts";
import "./footer.css";
import { FooterLinks } from "./footer-links.tsx";
import { keepLocale } from "./language-menu.tsx";

type FooterProps = {
  readonly pageState: PageState;
  /** As the service's health says. */
  readonly isWorking: boolean;
};

export function Footer({ pageState, isWorking }: FooterProps) {
  const { path, now } = pageState;
  const { t } = useTranslation("common");
  const current = useLocale();
  const search = useSearch();
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
            {isWorking ? <p className="w-footer__works">{t("down.works")}</p> : null}
          </div>
          <FooterLinks pageState={pageState} />
        </div>
        <div className="w-footer__bottom">
          <p>{t("brand.copyright", { year: now.slice(0, 4) })}</p>
          <nav className="w-footer__languages" aria-label={t("language.choose")}>
            <Icon name="globe" size={18} />
            {LOCALES.map((locale) => (
              <a
                key={locale}
                href={hrefIn(locale, path, search)}
                hrefLang={locale}
                lang={locale}
                aria-current={locale === current ? "true" : undefined}
                onClick={() => keepLocale(locale)}
              >
                {LOCALE_NAMES[locale]}
              </a>
            ))}
          </nav>
        </div>
      </div>
    </footer>
  );
}
