import { useTranslation } from "react-i18next";
import { formatTime } from "../../shared/format/format-time.ts";
import { usePageData } from "../../shared/page/page-context.ts";
import { useClock } from "../../shared/page/use-hydrated.ts";
import { Button } from "../../shared/ui/index.ts";
import type { SwapApiData } from "./load.ts";
import "./swap-api.css";

const FEATURES = ["fees", "limits", "idempotent", "states", "webhooks", "keys"] as const;
const STEPS = ["key", "rate", "order", "follow"] as const;

/** `/swap-api`: what the partner API is, with what this server answers now. */
export function SwapApiPage() {
  const { coins, networks, pairs, sample } = usePageData<SwapApiData>();
  const { t } = useTranslation("api");
  return (
    <div className="w-page w-swap-api">
      <header className="w-swap-api__head">
        <h1>{t("swap.title")}</h1>
        <p className="w-swap-api__lead">{t("swap.lead")}</p>
        <div className="w-swap-api__actions">
          <Button href="/profile/keys">{t("swap.makeKey")}</Button>
          <Button variant="outline" href="/docs/api-quick-start">
            {t("swap.quickStart")}
          </Button>
          <Button variant="plain" href="/docs/api">
            {t("reference.title")}
          </Button>
        </div>
        <dl className="w-swap-api__figures">
          <Figure name={t("swap.coins", { count: coins })} value={coins} />
          <Figure name={t("swap.networks", { count: networks })} value={networks} />
          <Figure name={t("swap.pairs", { count: pairs })} value={pairs} />
        </dl>
      </header>
      {sample === null ? null : <Sample sample={sample} />}
      <section className="w-swap-api__part" aria-labelledby="swap-features">
        <h2 id="swap-features">{t("swap.featuresTitle")}</h2>
        <ul className="w-swap-api__cards">
          {FEATURES.map((name) => (
            <li key={name}>
              <h3>{t(`swap.features.${name}.title`)}</h3>
              <p>{t(`swap.features.${name}.text`)}</p>
            </li>
          ))}
        </ul>
      </section>
      <section className="w-swap-api__part" aria-labelledby="swap-markup">
        <h2 id="swap-markup">{t("swap.markupTitle")}</h2>
        <p className="w-swap-api__text">{t("swap.markupText")}</p>
      </section>
      <section className="w-swap-api__part" aria-labelledby="swap-steps">
        <h2 id="swap-steps">{t("swap.stepsTitle")}</h2>
        <ol className="w-swap-api__steps">
          {STEPS.map((name) => (
            <li key={name}>
              <h3>{t(`swap.steps.${name}.title`)}</h3>
              <p>{t(`swap.steps.${name}.text`)}</p>
            </li>
          ))}
        </ol>
        <div className="w-swap-api__actions">
          <Button variant="outline" href="/docs/api-quick-start">
            {t("swap.quickStart")}
          </Button>
        </div>
      </section>
    </div>
  );
}

const Figure = ({ name, value }: { readonly name: string; readonly value: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

function Sample({ sample: { path, answer } }: { readonly sample: NonNullable<SwapApiData["sample"]> }) {
  const { t } = useTranslation("api");
  const clock = useClock();
  return (
    <section className="w-swap-api__part" aria-labelledby="swap-sample">
      <h2 id="swap-sample">{t("swap.sampleTitle")}</h2>
      <p className="w-swap-api__text">
        <span data-clock={clock}>{t("swap.sampleText", { time: formatTime(answer.updatedAt, clock) })}</span>{" "}
        {t("swap.samplePart")}
      </p>
      <p className="w-swap-api__request">
        <span>GET</span>{" "}
        <a href={path}>
          <code>{path}</code>
        </a>
      </p>
      <pre className="w-swap-api__answer">
        <code>{JSON.stringify(answer, null, 2)}</code>
      </pre>
    </section>
  );
}
