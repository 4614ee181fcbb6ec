import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { LogoTile, Icon } from "../../shared/ui/index.ts";
import "./header.css";
import { LanguageMenu } from "./language-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";
import type { Section } from "./sections.ts";

export function Header({ sections, path }: { readonly sections: readonly Section[]; readonly path: string }) {
  const { t } = useTranslation("common");
  return (
    <header className="w-header">
      <div className="w-header__row w-page">
        <Link href="/" className="w-header__brand" aria-label={t("brand.home")}>
          <LogoTile size={32} />
          <span>Wherry</span>
        </Link>
        {sections.length === 0 ? (
          <span className="w-header__nav" />
        ) : (
          <nav className="w-header__nav" aria-label={t("nav.label")}>
            {sections.map((section) => (
              <Link
                key={section.name}
                href={section.href}
                className="w-header__link"
                aria-current={section.isCurrent ? "page" : undefined}
              >
                {t(`nav.${section.name}`)}
              </Link>
            ))}
          </nav>
        )}
        <LanguageMenu path={path} />
        <ThemeMenu />
      </div>
    </header>
  );
}

export const SectionIcon = ({ name }: { readonly name: Section["name"] }) => (
  <Icon name={name === "orders" ? "receipt" : "exchange"} size={24} />
);
