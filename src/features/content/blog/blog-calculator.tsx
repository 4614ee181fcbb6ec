import { type ComponentType, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useInView } from "../../../shared/page/use-in-view.ts";
import { Button } from "../../../shared/ui/index.ts";

/** Beside an article: the calculator, which is of another feature and comes once its place is looked at, and a link to it until then. */
export function BlogCalculator({ Calculator }: { readonly Calculator: ComponentType }) {
  const { t } = useTranslation("content");
  const card = useRef<HTMLElement>(null);
  const isInView = useInView(card);
  return (
    <section className="w-blog__card w-blog__exchange" ref={card}>
      <h2>{t("blog.exchangeTitle")}</h2>
      <p>{t("blog.exchangeText")}</p>
      {isInView ? <Calculator /> : null}
      <div className="w-blog__to-exchange">
        <Button href="/" stretched>
          {t("blog.exchange")}
        </Button>
      </div>
    </section>
  );
}
