import { useTranslation } from "react-i18next";
import type { Field } from "../model/json-schema.ts";
import { Breakable } from "./breakable.tsx";
import { Line } from "./described.tsx";

type FieldTableProps = {
  /** What the table is of, for screen readers. */
  readonly label: string;
  readonly fields: readonly (Field & { readonly place?: string })[];
  /** Callers send them: those that are needed say so. Of an answer all are there. */
  readonly areGiven?: boolean;
};

/** The fields of an object, or the parameters of a call. */
export function FieldTable({ label, fields, areGiven = false }: FieldTableProps) {
  const { t } = useTranslation("api");
  if (fields.length === 0) return <p className="w-reference__note">{t("reference.noFields")}</p>;
  return (
    <div className="w-reference__fields">
      <table className="w-reference__table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t("reference.name")}</th>
            <th scope="col">{t("reference.type")}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, type, object, isRequired, description, place }) => (
            <tr key={`${place ?? ""} ${name}`}>
              <td lang="en">
                <code>
                  <Breakable name={name} />
                </code>{" "}
                {place === undefined ? null : <span className="w-reference__place">{place}</span>}
              </td>
              <td>
                <span className="w-reference__type" lang="en">
                  {object === undefined ? (
                    <Breakable name={type} />
                  ) : (
                    <a href={`#object-${object}`}>
                      <Breakable name={type} />
                    </a>
                  )}
                </span>{" "}
                {areGiven && isRequired ? <span className="w-reference__tag">{t("reference.required")}</span> : null}
                {description === undefined ? null : (
                  <p className="w-reference__note" lang="en">
                    <Line text={description} />
                  </p>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
