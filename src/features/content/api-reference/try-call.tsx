import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { Button, Note, TextArea, TextField } from "../../../shared/ui/index.ts";
import type { Operation } from "../model/openapi.ts";
import { initialBody, initialValue, type Recalled, targetOf } from "../model/try-call.ts";
import { CodeBlock } from "./code-block.tsx";
import { type Answered, sendCall } from "./send-call.ts";
import type { ApiKeyPair } from "./sign-call.ts";

export type Trying = {
  readonly key: ApiKeyPair;
  readonly recalled: Recalled;
  readonly onAnswer: (answer: unknown) => void;
};
type TryCallProps = { readonly operation: Operation; readonly trying: Trying };

/** A form that makes the call with the key of this page, and shows what came back. */
export function TryCall({ operation, trying }: TryCallProps) {
  const { t } = useTranslation("api");
  const isOnline = useOnline();
  const { id, method, parameters } = operation;
  const { key, recalled, onAnswer } = trying;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [typedBody, setTypedBody] = useState<string | null>(null);
  const [result, setResult] = useState<Answered | "failed" | "unsigned" | "sending" | null>(null);
  const fields = parameters.filter((one) => one.in !== "header");
  const values = Object.fromEntries(fields.map((one) => [one.name, typed[one.name] ?? initialValue(one, recalled)]));
  const body = operation.body === null ? null : (typedBody ?? initialBody(operation, recalled));
  const isKeyMissing = key.publicKey === "" || key.secretKey === "";

  const send = async () => {
    if (globalThis.crypto.subtle === undefined) return setResult("unsigned");
    setResult("sending");
    try {
      const isIdempotent = parameters.some((one) => one.in === "header");
      const answered = await sendCall(key, { method, path: targetOf(operation, values), body, isIdempotent });
      setResult(answered);
      if (answered.status < 300) onAnswer(answered.answer);
    } catch (error) {
      console.warn("a call of the reference had no answer", error);
      setResult("failed");
    }
  };
  return (
    <details className="w-reference__try">
      <summary>
        {t("try.open")}
        <span className="w-visually-hidden">
          , {method} {operation.path}
        </span>
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {fields.map(({ name }) => (
          <TextField
            key={name}
            id={`${id}-${name}`}
            name={name}
            mono
            label={name}
            value={values[name] ?? ""}
            onValue={(value) => setTyped({ ...typed, [name]: value })}
          />
        ))}
        {body === null ? null : (
          <TextArea
            id={`${id}-body`}
            name="body"
            label={t("reference.body")}
            rows={Math.min(20, body.split("\n").length + 1)}
            value={body}
            onValue={setTypedBody}
            mono
          />
        )}
        <Button
          type="submit"
          variant="outline"
          disabled={isKeyMissing || !isOnline}
          busyLabel={result === "sending" ? t("try.sending") : null}
        >
          {t(isOnline ? (isKeyMissing ? "try.keyFirst" : "try.send") : "reference.offline")}
        </Button>
      </form>
      <div role="status">{result === null || result === "sending" ? null : <Result result={result} />}</div>
    </details>
  );
}

type ResultProps = { readonly result: Answered | "failed" | "unsigned" };

function Result({ result }: ResultProps) {
  const { t } = useTranslation("api");
  if (result === "failed") return <Note tone="danger" title={t("try.failed")} />;
  if (result === "unsigned") return <Note tone="danger" title={t("try.unsigned")} />;
  const { status, milliseconds, rateLimit, answer } = result;
  return (
    <>
      <p className="w-reference__status">
        <strong>{status}</strong> {t("try.took", { milliseconds })}
        {rateLimit === null ? null : <code>{`RateLimit: ${rateLimit}`}</code>}
      </p>
      <CodeBlock code={JSON.stringify(answer, null, 2)} />
    </>
  );
}
