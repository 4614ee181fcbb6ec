import { type ClipboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { abortOnCleanup } from "../shared/page/abort-on-cleanup.ts";
import { afterPress } from "../shared/page/after-press.ts";
import { useAfterPress } from "../shared/page/use-after-press.ts";
import { canPaste, pasteText } from "../telegram/clipboard.ts";
import { useOnline } from "../shared/browser/connectivity.ts";
import { isWidget } from "../shared/browser/is-widget.ts";
import {
  AddressGroups,
  Button,
  classNames,
  describedBy,
  Field,
  Icon,
  Spinner,
  useValueBeforeHydration,
  VisuallyHidden,
} from "../shared/ui/index.ts";
import type { AddressCheck } from "./address-check.ts";
import { hasAddressShape } from "./address-shape.ts";
import { LinkNotes } from "./link-notes.tsx";
import { readPastedAddress, type LinkNote, type Taken } from "./pasted-address.ts";
import { ScanButton } from "./scan/scan-button.tsx";
import "./address-field.css";

type AddressFieldProps = {
  readonly id: string;
  readonly label: string;
  /** For an address that is not to be scanned as well. */
  readonly placeholder?: string;
  /** The coin that the address is of. */
  readonly instrument: Instrument;
  readonly value: string;
  readonly check: AddressCheck;
  readonly error: string | null;
  /** Said under the field while nothing else is. */
  readonly help?: string;
  /** Names its buttons by the field, where another field has buttons too. */
  readonly isOneOfSeveral?: boolean;
  /** The memo of the address before went with it. */
  readonly isMemoRemoved?: boolean;
  /** `taken` is what was pasted or scanned in the place of what stood there, with what a payment link says besides the address. */
  readonly onValue: (address: string, taken: Taken | null) => void;
  readonly ref?: Ref<HTMLInputElement>;
};

/** An address, typed, pasted or scanned: plain while it is typed, in groups of four once it was found valid or mistyped. */
export function AddressField(props: AddressFieldProps) {
  const {
    id,
    label,
    placeholder,
    instrument,
    value,
    check,
    error,
    help,
    isOneOfSeveral = false,
    isMemoRemoved = false,
    onValue,
  } = props;
  const { t } = useTranslation("exchange");
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(props.ref, () => input.current as HTMLInputElement);
  const [isFocused, setFocused] = useState(false);
  const isOffline = !useOnline();
  const [linkNotes, setLinkNotes] = useState<readonly LinkNote[]>([]);
  const ticker = instrument.currencyTitle;
  const valid = check === "valid" ? t("destination.addressValid", { ticker }) : null;
  const unchecked = value === "" ? undefined : uncheckedHint(check, isOffline);
  const hint = unchecked === undefined ? (value === "" ? help : undefined) : t(unchecked);
  const isMistyped = typeof check === "object" && hasAddressShape(instrument.networkTitle, value);
  const isJudged = error === null ? valid !== null : isMistyped;
  const isGrouped = useAfterPress(isJudged && !isFocused);
  const into = isOneOfSeveral ? label : undefined;

  useValueBeforeHydration(
    () => input.current?.value,
    value,
    (typed) => onValue(typed, null),
  );

  const take = (pasted: string) => {
    const { taken, notes } = readPastedAddress(pasted, instrument, new Date());
    setLinkNotes(notes);
    if (taken === null) return;
    onValue(taken.address, taken);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value: before, selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== 0 || selectionEnd !== before.length) return;
    event.preventDefault();
    take(event.clipboardData.getData("text"));
  };
  const pasteFromClipboard = async () => {
    const text = await pasteText();
    if (text === null) input.current?.focus();
    else take(text);
  };

  return (
    <>
      <Field id={id} label={label} error={error} hint={hint}>
        <span className={classNames("w-address-field", isGrouped && "w-address-field--grouped")}>
          <input
            ref={input}
            id={id}
            name={id}
            className="w-mono w-address-field__input"
            type="text"
            value={value}
            placeholder={placeholder ?? t(isWidget() ? "destination.addressToPaste" : "destination.addressPlaceholder")}
            maxLength={512}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            translate="no"
            onChange={(event) => {
              onValue(event.target.value, null);
              setLinkNotes([]);
            }}
            onPaste={paste}
            onFocus={() => setFocused(true)}
            onBlur={() => afterPress(() => setFocused(document.activeElement === input.current))}
            aria-required="true"
            aria-invalid={error === null ? undefined : true}
            aria-describedby={describedBy({ id, error, valid, hint })}
          />
          {isGrouped ? (
            <span className="w-address-field__groups" aria-hidden="true">
              <AddressGroups address={value.trim()} />
            </span>
          ) : null}
          {check === "checking" ? <Spinner label={t("destination.checking")} /> : null}
        </span>
        {error === null ? (
          <AddressVerdict id={id} valid={valid} isPending={value.trim() !== "" && hint === undefined} />
        ) : null}
        <span className="w-address-field__ways">
          <PasteButton into={into} onPaste={pasteFromClipboard} />
          <ScanButton className="w-address-field__way" fieldId={id} into={into} onFound={take} />
        </span>
      </Field>
      <LinkNotes
        notes={isMemoRemoved ? [...linkNotes, { kind: "memo_removed", network: instrument.networkTitle }] : linkNotes}
      />
    </>
  );
}

type AddressVerdictProps = { readonly id: string; readonly valid: string | null; readonly isPending: boolean };

/** The line is there from the first character on: a verdict that moved what stands below would move it away under a finger. */
function AddressVerdict({ id, valid, isPending }: AddressVerdictProps) {
  const { t } = useTranslation("exchange");
  if (valid !== null)
    return (
      <span className="w-field__note w-field__note--valid w-address-field__valid" id={`${id}-valid`}>
        <Icon name="check" size={16} />
        <span>{valid}</span>
      </span>
    );
  // Said by the spinner in the field.
  return isPending ? (
    <span className="w-field__note w-address-field__valid" aria-hidden="true">
      {t("destination.checking")}
    </span>
  ) : null;
}

function uncheckedHint(check: AddressCheck, isOffline: boolean) {
  if (isOffline && (check === "unchecked" || check === "failed")) return "destination.uncheckedOffline";
  return check === "failed" ? "destination.checkFailed" : undefined;
}

type PasteButtonProps = { readonly into: string | undefined; readonly onPaste: () => Promise<void> };

function PasteButton({ into, onPaste }: PasteButtonProps) {
  const { t } = useTranslation("exchange");
  return useCanPaste() ? (
    <Button
      variant="outline"
      stretched
      className="w-address-field__way"
      icon={<Icon name="paste" />}
      onClick={() => void onPaste()}
    >
      {t("destination.paste")}
      {into === undefined ? null : <VisuallyHidden>{into}</VisuallyHidden>}
    </Button>
  ) : null;
}

/** False once it is known that the button could paste nothing. */
function useCanPaste(): boolean {
  const [can, setCan] = useState(true);
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        const found = await canPaste();
        if (!signal.aborted) setCan(found);
      }),
    [],
  );
  return can;
}
