import { type ClipboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { afterPress } from "../../../shared/page/after-press.ts";
import { canPaste, pasteText } from "../../../telegram/clipboard.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import {
  AddressGroups,
  Button,
  type ButtonProps,
  classNames,
  describedBy,
  Field,
  Icon,
  Spinner,
  useValueBeforeHydration,
  VisuallyHidden,
} from "../../../shared/ui/index.ts";
import type { AddressCheck } from "../model/blockers.ts";
import { readPastedAddress, type LinkNote } from "../model/pasted-address.ts";
import { ScanButton } from "../scan/scan-button.tsx";
import { setAddress, setMemo, type AddressName } from "../store/state.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { LinkedAmount, LinkNotes } from "./link-notes.tsx";
import "./address-field.css";

type AddressFieldProps = {
  readonly name: AddressName;
  readonly label: string;
  readonly placeholder: string;
  /** The coin that the address is of. */
  readonly instrument: Instrument;
  readonly error: string | null;
};

/** An address: plain while it is typed, in groups of four once the server has found it valid. */
export function AddressField({ name, label, placeholder, instrument, error }: AddressFieldProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const { address, check } = useExchangeState()[name];
  const input = useRef<HTMLInputElement>(null);
  const [isFocused, setFocused] = useState(false);
  const isOffline = !useOnline();
  const [linkedAmount, setLinkedAmount] = useState<string | null>(null);
  const [linkNotes, setLinkNotes] = useState<readonly LinkNote[]>([]);
  const ticker = instrument.currencyTitle;
  const id = `${name}-address`;
  const valid = check === "valid" ? t("destination.addressValid", { ticker }) : null;
  const hint = address === "" ? undefined : uncheckedHint(check, isOffline);
  const isGrouped = valid !== null && error === null && !isFocused;

  useValueBeforeHydration(
    () => input.current?.value,
    address,
    (typed) => setAddress(state, name, typed),
  );

  const take = (pasted: string) => {
    const { taken, notes } = readPastedAddress(pasted, instrument, new Date());
    setLinkNotes(notes);
    if (taken === null) return;
    setAddress(state, name, taken.address);
    if (taken.memo !== null) setMemo(state, name, taken.memo);
    // The amount in a payment link is what its recipient gets; a refund is as large as the deposit.
    setLinkedAmount(name === "destination" ? taken.amount : null);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== 0 || selectionEnd !== value.length) return;
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
      <Field id={id} label={label} error={error} hint={hint === undefined ? undefined : t(hint)}>
        <span className={classNames("w-address-field", isGrouped && "w-address-field--grouped")}>
          <input
            ref={input}
            id={id}
            name={id}
            className="w-mono w-address-field__input"
            type="text"
            value={address}
            placeholder={placeholder}
            maxLength={512}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            translate="no"
            onChange={(event) => {
              setAddress(state, name, event.target.value);
              setLinkedAmount(null);
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
              <AddressGroups address={address.trim()} />
            </span>
          ) : null}
          {check === "checking" ? <Spinner label={t("destination.checking")} /> : null}
        </span>
        {error === null ? (
          <AddressVerdict id={id} valid={valid} isPending={address.trim() !== "" && hint === undefined} />
        ) : null}
        {name === "destination" ? (
          <span className="w-address-field__ways">
            <PasteButton variant="outline" stretched className="w-address-field__way" onPaste={pasteFromClipboard} />
            <ScanButton className="w-address-field__way" onFound={take} />
          </span>
        ) : (
          <PasteButton variant="plain" className="w-address-field__corner" into={label} onPaste={pasteFromClipboard} />
        )}
      </Field>
      <LinkNotes notes={linkNotes} />
      {linkedAmount === null ? null : <LinkedAmount amount={linkedAmount} ticker={ticker} />}
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

type PasteButtonProps = Pick<ButtonProps, "variant" | "stretched" | "className"> & {
  /** The field, where another one has a button of this name. */
  readonly into?: string;
  readonly onPaste: () => Promise<void>;
};

function PasteButton({ into, onPaste, ...look }: PasteButtonProps) {
  const { t } = useTranslation("exchange");
  return useCanPaste() ? (
    <Button {...look} icon={<Icon name="paste" />} onClick={() => void onPaste()}>
      {t("destination.paste")}
      {into === undefined ? null : <VisuallyHidden>{into}</VisuallyHidden>}
    </Button>
  ) : null;
}

/** False once it is known that the button could paste nothing. */
function useCanPaste(): boolean {
  const [can, setCan] = useState(true);
  useEffect(() => {
    let isLeft = false;
    void canPaste().then((found) => {
      if (!isLeft) setCan(found);
    });
    return () => {
      isLeft = true;
    };
  }, []);
  return can;
}
