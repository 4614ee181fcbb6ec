import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useRateLockMinutes } from "../../../shared/page/page-context.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { QUESTIONS } from "../model/questions.ts";

export function Questions() {
  const { t } = useTranslation("home");
  const count = useRateLockMinutes();
  return (
    <div className="w-questions">
      {QUESTIONS.map((name, index) => (
        <details key={name} className="w-questions__item" open={index === 0}>
          <summary>
            <h3>{t(`questions.${name}`)}</h3>
            <Icon name="plus" />
            <Icon name="minus" />
          </summary>
          <p>{t(`questions.${name}Answer`, { count })}</p>
        </details>
      ))}
      <p className="w-questions__more">
        {t("questions.notHere")} <Link href="/support">{t("questions.askSupport")}</Link>
      </p>
    </div>
  );
}
