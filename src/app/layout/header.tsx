import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { useIsSignedIn } from "../../shared/account/signed-in.ts";
import { setTheme, type Theme, THEMES, useTheme } from "../../shared/browser/theme.ts";
import type { Locale } from "#contract/locale.ts";
import { Icon, type IconName, LogoTile } from "../../shared/ui/index.ts";
import "./header.css";
import { LanguageMenu } from "./language-menu.tsx";
import { Menu } from "./menu.tsx";
import type { NavItem } from "./navigation.ts";

const THEME_ICONS: Record<Theme, IconName> = { light: "sun", dark: "moon", system: "system" };

type HeaderProps = {
  readonly items: readonly NavItem[];
  /** The page's path in a language. */
  readonly pathIn: (locale: Locale) => string;
  readonly isSignedIn: boolean;
};

export function Header({ items, pathIn, isSignedIn }: HeaderProps) {
  const hasAccount = useIsSignedIn(isSignedIn);
  const { t } = useTranslation("common");
  const pages = items.filter(({ name }) => name !== "account");
  const account = items.find(({ name }) => name === "account");
  return (
    <header className="w-header">
      <div className="w-header__row w-page">
        <Link href="/" className="w-header__brand" aria-label={t("brand.home")}>
          <LogoTile size={32} />
          <span>Wherry</span>
        </Link>
        {items.length === 0 ? (
          <span className="w-header__nav" />
        ) : (
          <nav className="w-header__nav" aria-label={t("nav.label")}>
            {pages
              .filter(({ isInMenuOnly }) => !isInMenuOnly)
              .map((item) => (
                <HeaderLink key={item.name} item={item} label={t(`nav.${item.name}`)} />
              ))}
          </nav>
        )}
        <LanguageMenu pathIn={pathIn} />
        <ThemeMenu />
        {account === undefined ? null : (
          <span className="w-header__account">
            <HeaderLink item={account} label={t(hasAccount ? "nav.account" : "nav.signIn")} isSignIn={!hasAccount} />
          </span>
        )}
        {pages.length === 0 ? null : <PagesMenu pages={pages} />}
      </div>
    </header>
  );
}

/** Where the links have no room beside the name. */
function PagesMenu({ pages }: { readonly pages: readonly NavItem[] }) {
  const { t } = useTranslation("common");
  return (
    <nav className="w-header__menu" aria-label={t("nav.label")}>
      <Menu label={t("nav.menu")} summary={<Icon name="menu" />}>
        {pages.map(({ name, href, isCurrent }) => (
          <li key={name}>
            <Link href={href} className="w-menu__item" aria-current={isCurrent ? "page" : undefined}>
              {t(`nav.${name}`)}
            </Link>
          </li>
        ))}
      </Menu>
    </nav>
  );
}

type HeaderLinkProps = { readonly item: NavItem; readonly label: string; readonly isSignIn?: boolean };

const HeaderLink = ({ item, label, isSignIn = false }: HeaderLinkProps) => (
  <Link
    href={item.href}
    className="w-header__link"
    aria-current={item.isCurrent ? "page" : undefined}
    data-sign-in={isSignIn ? "" : undefined}
  >
    {label}
  </Link>
);

function ThemeMenu() {
  const { t } = useTranslation("common");
  const current = useTheme();
  return (
    <Menu label={`${t("theme.label")}: ${t(`theme.${current}`)}`} summary={<Icon name={THEME_ICONS[current]} />}>
      {THEMES.map((theme) => (
        <li key={theme}>
          <button
            type="button"
            className="w-menu__item"
            aria-pressed={theme === current}
            onClick={() => setTheme(theme)}
          >
            <Icon name={THEME_ICONS[theme]} />
            <span>{t(`theme.${theme}`)}</span>
            {theme === current ? <Icon name="check" size={18} /> : null}
          </button>
        </li>
      ))}
    </Menu>
  );
}
