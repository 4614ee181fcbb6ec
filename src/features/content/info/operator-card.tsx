import { useTranslation } from "react-i18next";
import type { PageAnswer } from "#contract/site/pages.ts";

/** Who runs this exchange and what others say of it; nothing where the operator says nothing. */
export function OperatorCard({ page: { operator, rating } }: { readonly page: PageAnswer }) {
  const { t } = useTranslation("info");
  const { company, email, links } = operator;
  const hasOperator = company !== null || email !== null || links.length > 0;
  if (!hasOperator && rating === null) return null;
  return (
    <aside className="w-info__card" aria-label={t("operator.title")}>
      {hasOperator ? <p className="w-info__card-title">{t("operator.title")}</p> : null}
      {company === null ? null : (
        <address>
          {company.name}
          {company.registration === null ? null : (
            <span>{t("operator.registration", { registration: company.registration })}</span>
          )}
          {company.address === null ? null : <span>{company.address}</span>}
        </address>
      )}
      {email === null && links.length === 0 ? null : (
        <ul>
          {email === null ? null : (
            <li>
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
          {links.map(({ label, url }) => (
            <li key={url}>
              <a href={url} rel="noopener">
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      {rating === null ? null : (
        <p className="w-info__rating">
          <span aria-hidden="true">★</span> <strong>{t("rating.value", { value: rating.value })}</strong>{" "}
          <a href={rating.url} rel="noopener">
            {t("rating.count", { count: rating.count, source: rating.source })}
          </a>
        </p>
      )}
    </aside>
  );
}
