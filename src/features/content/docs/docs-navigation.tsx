import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ContentData } from "../load.ts";
import { API_CATEGORY, API_REFERENCE } from "./api-pages.ts";
import "./docs-navigation.css";

type DocsNavigationProps = {
  readonly data: ContentData;
  /** An article's slug; empty for the overview. */
  readonly current: string;
  readonly onChosen?: () => void;
};

/** Every page of the docs, by category. */
export function DocsNavigation({ data, current, onChosen }: DocsNavigationProps) {
  const { t } = useTranslation("content");
  return (
    <nav className="w-docs-navigation" aria-label={t("docs.title")}>
      <NavigationLink href="/docs" isCurrent={current === ""} title={t("docs.overview")} onChosen={onChosen} />
      {data.categories.map(({ slug, title }) => (
        <div key={slug}>
          <p className="w-docs-navigation__category">{title}</p>
          <ul>
            {data.navigation
              .filter((entry) => entry.category === slug)
              .map((entry) => (
                <li key={entry.slug}>
                  <NavigationLink
                    href={`/docs/${entry.slug}`}
                    isCurrent={entry.slug === current}
                    title={entry.title}
                    onChosen={onChosen}
                  />
                </li>
              ))}
            {slug === API_CATEGORY ? (
              <li>
                <NavigationLink
                  href={`/docs/${API_REFERENCE}`}
                  isCurrent={current === API_REFERENCE}
                  title={t("docs.reference")}
                  onChosen={onChosen}
                />
              </li>
            ) : null}
          </ul>
        </div>
      ))}
    </nav>
  );
}

type NavigationLinkProps = {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly title: string;
  readonly onChosen: (() => void) | undefined;
};

const NavigationLink = ({ href, isCurrent, title, onChosen }: NavigationLinkProps) => (
  <Link
    href={href}
    className="w-docs-navigation__link"
    aria-current={isCurrent ? "page" : undefined}
    onClick={() => onChosen?.()}
  >
    {title}
  </Link>
);
