import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { usePageData } from "../../../shared/page/page-context.ts";
import { LiveRegion, TextField } from "../../../shared/ui/index.ts";
import { searchQuestions } from "../model/search-questions.ts";
import { ContactForm } from "./form/contact-form.tsx";
import { NoForm } from "./form/no-form.tsx";
import { InfoLayout, InfoSection } from "./info-page.tsx";
import type { InfoData } from "./load.ts";

const LOOKUP = "find-order";
const CONTACT = "contact";

/** `/support`: answers by topic, the look-up of an order, and a form to the operator. */
export function SupportPage({ lookup }: { /** The form that opens an order. */ readonly lookup: ReactNode }) {
  const { page } = usePageData<InfoData>();
  const { t } = useTranslation("info");
  const [search, setSearch] = useState("");
  const found = searchQuestions(page.sections, search);
  const count = found.reduce((sum, { questions }) => sum + questions.length, 0);
  const isSearching = search.trim() !== "";
  const more = [
    { id: LOOKUP, title: t("support.lookup") },
    { id: CONTACT, title: t("form.contactTitle") },
  ];
  return (
    <InfoLayout page={page} sections={found} more={more}>
      <div className="w-info__search" role="search">
        <TextField
          id="support-search"
          name="search"
          type="search"
          label={t("support.search")}
          value={search}
          onValue={setSearch}
        />
        <LiveRegion text={isSearching ? t("support.found", { count }) : ""} />
      </div>
      {isSearching && count === 0 ? <p>{t("support.nothing")}</p> : null}
      {found.map((section) => (
        <InfoSection key={section.id} section={section} />
      ))}
      <section className="w-info__section" aria-labelledby={LOOKUP}>
        <h2 id={LOOKUP}>{t("support.lookup")}</h2>
        <p className="w-info__text">{t("support.lookupText")}</p>
        <div className="w-info__form">{lookup}</div>
      </section>
      <section className="w-info__section" aria-labelledby={CONTACT}>
        <h2 id={CONTACT}>{t("form.contactTitle")}</h2>
        {page.hasForms ? <ContactForm email={page.operator.email} /> : <NoForm email={page.operator.email} />}
      </section>
    </InfoLayout>
  );
}
