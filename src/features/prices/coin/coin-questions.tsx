import { useTranslation } from "react-i18next";
import { Question } from "../../../shared/ui/index.ts";
import type { CoinPageData } from "../load.ts";
import { coinQuestions } from "../model/coin-questions.ts";

type CoinQuestionsProps = Pick<CoinPageData, "coin" | "networks" | "limits">;

export function CoinQuestions(facts: CoinQuestionsProps) {
  const { t } = useTranslation("prices");
  return (
    <section className="w-coin-page__card" aria-labelledby="coin-questions">
      <h2 id="coin-questions">{t("questions.title", { ticker: facts.coin.ticker })}</h2>
      {coinQuestions(facts, t).map(({ question, answer }) => (
        <Question key={question} title={question} isDense>
          <p>{answer}</p>
        </Question>
      ))}
    </section>
  );
}
