import { useTranslation } from "react-i18next";
import { usePageData } from "../../../shared/page/page-context.ts";
import { ArticleBody } from "../article/article-body.tsx";
import { AuthorityForm } from "./form/authority-form.tsx";
import { NoForm } from "./form/no-form.tsx";
import { InfoLayout, InfoSection } from "./info-page.tsx";
import type { InfoData } from "./load.ts";

const FORM = "request";

/** `/for-competent-authorities`: how to ask, which data exist, and a form with the signed request. */
export function AuthoritiesPage() {
  const { page } = usePageData<InfoData>();
  const { t } = useTranslation("info");
  return (
    <InfoLayout page={page} more={[{ id: FORM, title: t("form.authorityTitle") }]}>
      <ArticleBody html={page.html} className="w-info__text" />
      {page.sections.map((section) => (
        <InfoSection key={section.id} section={section} />
      ))}
      <section className="w-info__section" aria-labelledby={FORM}>
        <h2 id={FORM}>{t("form.authorityTitle")}</h2>
        {page.hasForms ? <AuthorityForm email={page.operator.email} /> : <NoForm email={page.operator.email} />}
      </section>
    </InfoLayout>
  );
}
