import type { ReactNode } from "react";
import { useSearch } from "wouter";
import { useTranslation } from "react-i18next";
import { useLocale } from "../../shared/i18n/index.ts";
import { LOCALE_NAMES, LOCALES, type Locale } from "#contract/locale.ts";
import { Icon } from "../../shared/ui/index.ts";
import { hrefIn } from "../router/use-page-state.ts";
import { Menu } from "./menu.tsx";

const YEAR_SECONDS = 365 * 86_400;

/** The choice is kept for a year (spec §9); nothing redirects by it. */
export const keepLocale = (locale: Locale): void => {
  document.cookie = `i18n_redirected=${locale}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
};

type LanguageLinkProps = {
  readonly locale: Locale;
  readonly path: string;
  readonly className?: string;
  readonly children: ReactNode;
};

/** Leads to this page in a language, by a whole load: one page never holds two languages' words. */
export function LanguageLink({ locale, path, className, children }: LanguageLinkProps) {
  const current = useLocale();
  const search = useSearch();
  return (
    <a
      className={className}
      href={hrefIn(locale, path, search)}
      hrefLang={locale}
      lang={locale}
      aria-current={locale === current ? "true" : undefined}
      onClick={() => keepLocale(locale)}
    >
      {children}
    </a>
  );
}

/** The languages of this page, in the header. */
export function LanguageMenu({ pathIn }: { readonly pathIn: (locale: Locale) => string }) {
  const { t } = useTranslation("common");
  const current = useLocale();
  const summary = (
    <>
      <Icon name="globe" />
      <span className="w-menu__wide">
        <span>{current.toUpperCase()}</span>
        <Icon name="chevron-down" size={16} />
      </span>
    </>
  );
  return (
    <Menu
      label={`${current.toUpperCase()}. ${t("language.current", { language: LOCALE_NAMES[current] })}`}
      summary={summary}
    >
      {LOCALES.map((locale) => (
        <li key={locale}>
          <LanguageLink locale={locale} path={pathIn(locale)} className="w-menu__item">
            <span>{LOCALE_NAMES[locale]}</span>
            {locale === current ? <Icon name="check" size={18} /> : null}
          </LanguageLink>
        </li>
      ))}
    </Menu>
  );
}
