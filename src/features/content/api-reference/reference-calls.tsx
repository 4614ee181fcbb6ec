import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsSandbox } from "../../../shared/page/page-context.ts";
import { Note } from "../../../shared/ui/index.ts";
import type { Operation, Reference } from "../model/openapi.ts";
import { NOTHING_RECALLED, recall } from "../model/try-call.ts";
import { Described } from "./described.tsx";
import { FieldTable } from "./field-table.tsx";
import { KeyForm } from "./key-form.tsx";
import { OperationPart } from "./operation-part.tsx";
import { Deliveries, Failures } from "./reference-ends.tsx";
import type { ApiKeyPair } from "./sign-call.ts";

type ReferenceCallsProps = { readonly reference: Reference };

/** Every call and every object of the document. The key and what calls have answered are forgotten with the page. */
export function ReferenceCalls({
  reference: { introduction, groups, events, failures, objects },
}: ReferenceCallsProps) {
  const { t } = useTranslation("api");
  const isSandbox = useIsSandbox();
  const [key, setKey] = useState<ApiKeyPair>({ publicKey: "", secretKey: "" });
  const [recalled, setRecalled] = useState(NOTHING_RECALLED);
  const remember = (operation: Operation, answer: unknown) => setRecalled((known) => recall(known, operation, answer));
  return (
    <div className="w-reference">
      <Described text={introduction} />
      {isSandbox ? (
        <KeyForm apiKey={key} onKey={setKey} />
      ) : (
        <Note tone="info" title={t("try.live")}>
          {t("try.liveText")}
        </Note>
      )}
      {groups.map(({ name, title, description, operations }) => (
        <section key={name} className="w-reference__group" aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`} lang="en">
            {title}
          </h2>
          <p className="w-reference__note" lang="en">
            {description}
          </p>
          {operations.map((operation) => (
            <OperationPart
              key={operation.id}
              operation={operation}
              trying={isSandbox ? { key, recalled, onAnswer: (answer) => remember(operation, answer) } : null}
            />
          ))}
        </section>
      ))}
      <Deliveries events={events} />
      <Failures failures={failures} />
      <section className="w-reference__group" aria-labelledby="objects">
        <h2 id="objects">{t("reference.objects")}</h2>
        {objects.map(({ name, isGiven, fields }) => (
          <section key={name} className="w-reference__operation" aria-labelledby={`object-${name}`}>
            <h3 id={`object-${name}`} lang="en">
              {name}
            </h3>
            <FieldTable label={t("reference.fieldsOf", { name })} fields={fields} areGiven={isGiven} />
          </section>
        ))}
      </section>
    </div>
  );
}
