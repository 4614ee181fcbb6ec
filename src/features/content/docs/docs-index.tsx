import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ListData } from "../load.ts";
import { API_CATEGORY, API_REFERENCE } from "./api-pages.ts";

/** `/docs`: every page with what it is about, by category. */
export function DocsIndex({ data: { categories, items } }: { readonly data: ListData }) {
  const { t } = useTranslation("content");
  return (
    <>
      <h1 className="w-docs__title">{t("docs.title")}</h1>
      <p className="w-docs__lead">{t("docs.description")}</p>
      {items.length === 0 ? <p className="w-docs__none">{t("docs.none")}</p> : null}
      {categories.map(({ slug, title }) => (
        <section key={slug} className="w-docs__section" aria-labelledby={`docs-${slug}`}>
          <h2 id={`docs-${slug}`}>{title}</h2>
          <ul>
            {items
              .filter((item) => item.category === slug)
              .map((item) => (
                <li key={item.slug}>
                  <Link href={`/docs/${item.slug}`}>{item.title}</Link>
                  <p>{item.description}</p>
                </li>
              ))}
            {slug === API_CATEGORY ? (
              <li>
                <Link href={`/docs/${API_REFERENCE}`}>{t("docs.reference")}</Link>
                <p>{t("docs.referenceText")}</p>
              </li>
            ) : null}
          </ul>
        </section>
      ))}
    </>
  );
}
