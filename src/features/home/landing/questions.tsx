import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useRateLockMinutes } from "../../../shared/page/page-context.ts";
import { Question } from "../../../shared/ui/index.ts";
import { QUESTIONS } from "../model/questions.ts";

export function Questions() {
  const { t } = useTranslation("home");
  const count = useRateLockMinutes();
  return (
    <div className="w-questions">
      {QUESTIONS.map((name, index) => (
        <Question key={name} title={t(`questions.${name}`)} isOpen={index === 0}>
          <p>{t(`questions.${name}Answer`, { count })}</p>
        </Question>
      ))}
      <p className="w-questions__more">
        {t("questions.notHere")} <Link href="/support">{t("questions.askSupport")}</Link>
      </p>
    </div>
  );
}
