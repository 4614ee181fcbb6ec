import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { SectionIcon } from "./header.tsx";
import "./tab-bar.css";
import type { Section } from "./sections.ts";

/** The sections on phones, under the thumb. */
export function TabBar({ sections }: { readonly sections: readonly Section[] }) {
  const { t } = useTranslation("common");
  return (
    <nav className="w-tabs" aria-label={t("nav.tabs")}>
      {sections.map((section) => (
        <Link
          key={section.name}
          href={section.href}
          className="w-tabs__tab"
          aria-current={section.isCurrent ? "page" : undefined}
        >
          <SectionIcon name={section.name} />
          <span>{t(`nav.${section.name}`)}</span>
        </Link>
      ))}
    </nav>
  );
}
