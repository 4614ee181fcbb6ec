import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Configurator } from "./configurator.tsx";
import "./widget-page.css";

const POINTS = ["light", "private", "hears"] as const;
const EVENTS = ["ready", "order-created", "order-updated"] as const;

const LISTENER = `addEventListener("wherry:order-updated", ({ detail }) => {
  console.log(detail.reference, detail.status);
});`;

/** `/widget`: what the widget is, and the code that shows it on another site. */
export function WidgetPage() {
  const { t } = useTranslation("widget");
  return (
    <div className="w-page w-widget">
      <header className="w-widget__head">
        <h1 className="w-widget__title">{t("title")}</h1>
        <p className="w-widget__lead">{t("lead")}</p>
        <ul className="w-widget__points">
          {POINTS.map((point) => (
            <li key={point}>
              <strong>{t(`points.${point}.title`)}</strong>
              <span>{t(`points.${point}.text`)}</span>
            </li>
          ))}
        </ul>
      </header>
      <Configurator />
      <section className="w-widget__events" aria-labelledby="widget-events">
        <h2 id="widget-events">{t("events.title")}</h2>
        <p>{t("events.text")}</p>
        <dl>
          {EVENTS.map((event) => (
            <div key={event}>
              <dt>
                <code>wherry:{event}</code>
              </dt>
              <dd>{t(`events.${event}`)}</dd>
            </div>
          ))}
        </dl>
        <pre className="w-widget__code">
          <code>{LISTENER}</code>
        </pre>
        <p>
          <Link href="/docs/widget">{t("events.docs")}</Link>
        </p>
      </section>
    </div>
  );
}
