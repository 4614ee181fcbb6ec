import { useTranslation } from "react-i18next";
import type { DeliveredEvent, FailureAnswer } from "../model/openapi.ts";
import { CodeBlock } from "./code-block.tsx";
import { Described, Line } from "./described.tsx";
import { FieldTable } from "./field-table.tsx";

/** What the account's receivers are sent, and how they check it. */
export function Deliveries({ events }: { readonly events: readonly DeliveredEvent[] }) {
  const { t } = useTranslation("api");
  return (
    <section className="w-reference__group" aria-labelledby="deliveries">
      <h2 id="deliveries">{t("reference.deliveries")}</h2>
      {events.map(({ name, description, headers, fields, example }) => (
        <section key={name} className="w-reference__operation" aria-labelledby={`event-${name}`}>
          <h3 id={`event-${name}`} className="w-reference__call" lang="en">
            <code>{name}</code>
          </h3>
          <Described text={description} />
          <h4>{t("reference.parameters")}</h4>
          <FieldTable label={`${t("reference.parameters")}, ${name}`} fields={headers} />
          <h4>{t("reference.body")}</h4>
          <FieldTable label={`${t("reference.body")}, ${name}`} fields={fields} />
          <Example value={example} of={name} />
        </section>
      ))}
    </section>
  );
}

/** How calls fail. */
export function Failures({ failures }: { readonly failures: readonly FailureAnswer[] }) {
  const { t } = useTranslation("api");
  return (
    <section className="w-reference__group" aria-labelledby="failures">
      <h2 id="failures">{t("reference.failuresTitle")}</h2>
      {failures.map(({ status, description, examples }) => (
        <section key={status} className="w-reference__operation" aria-labelledby={failureId(status)}>
          <h3 id={failureId(status)}>{status}</h3>
          <Described text={description} />
          {examples.map(({ summary, value }) => (
            <div key={summary} className="w-reference__text">
              <p className="w-reference__note" lang="en">
                <Line text={summary} />
              </p>
              <CodeBlock code={JSON.stringify(value, null, 2)} />
            </div>
          ))}
        </section>
      ))}
    </section>
  );
}

export const failureId = (status: string): string => `failure-${status}`;

type ExampleProps = {
  readonly value: unknown;
  /** For screen readers: there is one at each call. */
  readonly of: string;
};

/** Closed at first: an order's is long. */
export function Example({ value, of }: ExampleProps) {
  const { t } = useTranslation("api");
  if (value === undefined) return null;
  return (
    <details className="w-reference__example">
      <summary>
        {t("reference.example")}
        <span className="w-visually-hidden">, {of}</span>
      </summary>
      <CodeBlock code={JSON.stringify(value, null, 2)} />
    </details>
  );
}
