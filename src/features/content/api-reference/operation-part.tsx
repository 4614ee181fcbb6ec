import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { CopyIconButton } from "../../../shared/ui/index.ts";
import { fieldsOf, objectOf, typeOf } from "../model/json-schema.ts";
import { fieldOfParameter, type Operation } from "../model/openapi.ts";
import { Breakable } from "./breakable.tsx";
import { CodeBlock } from "./code-block.tsx";
import { FieldTable } from "./field-table.tsx";
import { Example, failureId } from "./reference-ends.tsx";
import { TryCall, type Trying } from "./try-call.tsx";

type OperationPartProps = {
  readonly operation: Operation;
  /** Null where calls can't be tried. */
  readonly trying: Trying | null;
};

/** One call: what it takes, what it answers, and a form that makes it. */
export function OperationPart({ operation, trying }: OperationPartProps) {
  const { t } = useTranslation("api");
  const { id, method, path, summary, parameters, body, success, failures } = operation;
  const given = parameters.map((one) => ({ ...fieldOfParameter(one), place: one.in }));
  return (
    <section className="w-reference__operation" aria-labelledby={id}>
      <h3 id={id} className="w-reference__call" lang="en">
        <span className={`w-reference__method w-reference__method--${method.toLowerCase()}`}>{method}</span>{" "}
        <code>
          <Breakable name={path} />
        </code>
      </h3>
      <div className="w-reference__copy">
        <CopyIconButton
          value={path}
          label={t("reference.copyPath", { path })}
          copiedLabel={t("reference.copied")}
          failedLabel={t("reference.notCopied")}
        />
      </div>
      <p lang="en">{summary}</p>
      {given.length === 0 ? null : (
        <>
          <h4>{t("reference.parameters")}</h4>
          <FieldTable label={`${t("reference.parameters")}, ${method} ${path}`} fields={given} areGiven />
        </>
      )}
      {body === null ? null : (
        <>
          <h4>{t("reference.body")}</h4>
          <ObjectLink schema={body.schema} label={`${t("reference.body")}, ${method} ${path}`} isGiven />
          {body.example === undefined ? null : <CodeBlock code={JSON.stringify(body.example, null, 2)} />}
        </>
      )}
      <h4>{t("reference.answer", { status: success.status })}</h4>
      <ObjectLink
        schema={success.schema}
        label={`${t("reference.answer", { status: success.status })}, ${method} ${path}`}
      />
      <Example value={success.example} of={`${method} ${path}`} />
      <p className="w-reference__note w-reference__failures">
        {t("reference.failures")}{" "}
        <a href="#object-Failure" lang="en">
          Failure
        </a>
        {failures.map((status) => (
          <Fragment key={status}>
            {" "}
            <a href={`#${failureId(status)}`}>{status}</a>
          </Fragment>
        ))}
      </p>
      {trying === null ? null : <TryCall operation={operation} trying={trying} />}
    </section>
  );
}

type ObjectLinkProps = {
  readonly schema: Operation["success"]["schema"];
  readonly label: string;
  readonly isGiven?: boolean;
};

/** Named objects stand at the end of the page; the others here. */
function ObjectLink({ schema, label, isGiven = false }: ObjectLinkProps) {
  const name = objectOf(schema);
  if (name === null) return <FieldTable label={label} fields={fieldsOf(schema)} areGiven={isGiven} />;
  return (
    <p>
      <a href={`#object-${name}`} lang="en">
        <code>{typeOf(schema)}</code>
      </a>
    </p>
  );
}
