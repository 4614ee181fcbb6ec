import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Icon } from "../../shared/ui/index.ts";
import { parentsOf } from "./head.ts";
import type { ContentData } from "./load.ts";
import "./breadcrumbs.css";

/** The pages above this one; nothing on the section's first page. */
export function Breadcrumbs({ data }: { readonly data: ContentData }) {
  const { t } = useTranslation("common");
  const parents = parentsOf(data, t);
  if (parents.length === 0) return null;
  return (
    <nav aria-label={t("crumbs", { ns: "content" })}>
      <ol className="w-breadcrumbs">
        {parents.map(({ name, path }, index) => (
          <li key={path}>
            {index === 0 ? null : <Icon name="chevron-right" size={16} />}
            <Link href={path}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
