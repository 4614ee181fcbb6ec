import { useTranslation } from "react-i18next";
import type { TocEntry } from "#contract/site/content.ts";
import { useCurrentSection } from "./use-current-section.ts";
import "./table-of-contents.css";

/** `lang` where it is not the page's own. */
export type ContentsEntry = TocEntry & { readonly lang?: string };
type TableOfContentsProps = { readonly entries: readonly ContentsEntry[]; readonly className?: string };

/** The sections of an article; the one that is being read is marked. */
export function TableOfContents({ entries, className = "" }: TableOfContentsProps) {
  const { t } = useTranslation("content");
  const current = useCurrentSection(entries.map(({ id }) => id));
  if (entries.length === 0) return null;
  return (
    <nav className={`w-toc ${className}`} aria-label={t("article.contents")}>
      <p className="w-toc__title">{t("article.contents")}</p>
      <ul>
        {entries.map(({ id, text, depth, lang }) => (
          <li key={id} className={depth === 3 ? "w-toc__deeper" : undefined}>
            <a href={`#${encodeURIComponent(id)}`} lang={lang} aria-current={id === current ? "location" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
