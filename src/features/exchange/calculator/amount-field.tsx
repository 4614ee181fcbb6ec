import {
  type ClipboardEvent,
  Component,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { formatCrypto, groupDigits } from "../../../shared/format/format.ts";
import { canonicalAmount, cleanField, type FieldText, pasteInto } from "../../../shared/format/amount-input.ts";

type AmountFieldProps = {
  readonly id: string;
  readonly name: string;
  readonly amount: string;
  readonly decimals: number;
  /** Typed amounts are shown in full, computed ones to eight decimals. */
  readonly isTyped: boolean;
  readonly placeholder: string;
  readonly onAmount: (text: string) => void;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
};

/** An amount: lenient from the first key on, canonical and grouped once the field is left. */
export function AmountField({
  id,
  name,
  amount,
  decimals,
  isTyped,
  placeholder,
  onAmount,
  isInvalid,
  describedBy,
}: AmountFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isEditing, setEditing] = useState(false);
  const shown = isEditing ? amount : isTyped ? groupDigits(amount) : formatAmount(amount);

  useLayoutEffect(() => {
    const field = input.current;
    if (field === null) return;
    if (field.value === shown) return;
    setEditing(document.activeElement === field);
    onAmount(cleanField({ text: field.value, caret: 0 }).text);
    // Only what was typed before hydration; later changes come as events.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);

  // A computed figure keeps the size of its full decimals: it would jump with each rate that ends in a zero.
  const longest = isTyped ? shown : withAllDecimals(shown, decimals);
  useFittingText(input, shown, longest);
  useFadeIn(input, shown);

  const write = ({ text, caret }: FieldText) => {
    const field = input.current;
    if (field === null) return;
    field.value = text;
    field.setSelectionRange(caret, caret);
    setEditing(true);
    onAmount(text);
  };

  const replaceSelection = (field: HTMLInputElement, text: string) => {
    const { value, selectionStart, selectionEnd } = field;
    write(
      pasteInto(
        { text: value, selectionStart: selectionStart ?? value.length, selectionEnd: selectionEnd ?? value.length },
        text,
      ),
    );
  };

  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    replaceSelection(event.currentTarget, event.clipboardData.getData("text"));
  };

  /** The groups are for the eye: what is copied carries none. */
  const copy = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    event.clipboardData.setData("text/plain", value.slice(selectionStart ?? 0, selectionEnd ?? 0).replace(/\s/g, ""));
    if (event.type === "cut") replaceSelection(event.currentTarget, "");
  };

  const leave = () => {
    setEditing(false);
    const canonical = canonicalAmount(amount, decimals);
    if (isTyped && canonical !== "" && canonical !== amount) onAmount(canonical);
  };

  return (
    <>
      <KeptSelection input={input} computed={isEditing ? null : shown} />
      <input
        ref={input}
        id={id}
        name={name}
        className="w-amount-field w-number"
        data-length={lengthStep(longest.length)}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        maxLength={60}
        value={shown}
        placeholder={placeholder}
        onChange={({ currentTarget }) =>
          write(
            cleanField({
              text: currentTarget.value,
              caret: currentTarget.selectionStart ?? currentTarget.value.length,
            }),
          )
        }
        onPaste={paste}
        onCopy={copy}
        onCut={copy}
        onBlur={leave}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={describedBy}
      />
    </>
  );
}

const formatAmount = (amount: string): string => (amount === "" ? "" : formatCrypto(amount));

type KeptSelectionProps = { readonly input: RefObject<HTMLInputElement | null>; readonly computed: string | null };

/**
 * Selects a computed amount that takes the place of a selected one, or comes into the empty field with the caret: what is typed then would be
 * added to its digits instead of taking their place. `computed` is null while somebody types. A class, as no hook sees the field before a
 * new value is written into it.
 */
class KeptSelection extends Component<KeptSelectionProps> {
  override getSnapshotBeforeUpdate(): boolean {
    const field = this.props.input.current;
    return (
      field !== null &&
      field === document.activeElement &&
      field.selectionStart === 0 &&
      field.selectionEnd === field.value.length
    );
  }

  override componentDidUpdate(before: KeptSelectionProps, _state: unknown, isWhole: boolean): void {
    const { input, computed } = this.props;
    if (isWhole && computed !== null && computed !== before.computed) input.current?.select();
  }

  override render(): ReactNode {
    return null;
  }
}

/** A wide font may need less than its length suggests: the figure is never cut off, nor would its longest form be. */
function useFittingText(input: RefObject<HTMLInputElement | null>, shown: string, longest: string): void {
  useLayoutEffect(() => {
    const field = input.current;
    if (field === null) return undefined;
    const fit = () => {
      // Measured with the longest text in it, unless that would move somebody's caret.
      const isFree = longest !== shown && field !== document.activeElement && field.value === shown;
      if (isFree) field.value = longest;
      field.style.fontSize = "";
      if (field.scrollWidth > field.clientWidth) {
        // The proportion is where to begin: fonts don't grow evenly.
        const full = Number.parseInt(getComputedStyle(field).fontSize, 10);
        let size = Math.max(SMALLEST_PX, Math.ceil((full * field.clientWidth) / field.scrollWidth));
        while (overflowsAt(field, size) && size > SMALLEST_PX) size -= 1;
      }
      if (isFree) field.value = shown;
    };
    fit();
    if (typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(fit);
    observer.observe(field);
    return () => observer.disconnect();
  }, [input, shown, longest]);
}

const SMALLEST_PX = 12;

function overflowsAt(field: HTMLInputElement, size: number): boolean {
  field.style.fontSize = `${size}px`;
  return field.scrollWidth > field.clientWidth;
}

/** A new rate's amount, or a swapped one, fades in (the design): a fade is for those too who want less movement. */
function useFadeIn(input: RefObject<HTMLInputElement | null>, shown: string): void {
  const last = useRef(shown);
  useLayoutEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    const field = input.current;
    if (field !== null && field !== document.activeElement)
      field.animate?.([{ opacity: 0.3 }, { opacity: 1 }], { duration: 120 });
  }, [input, shown]);
}

/** The figure with as many decimals as the instrument can show. */
function withAllDecimals(shown: string, decimals: number): string {
  const count = Math.min(decimals, SHOWN_DECIMALS);
  if (shown === "" || count === 0) return shown;
  const [whole = "", fraction = ""] = shown.split(".");
  return `${whole}.${fraction.padEnd(count, "0")}`;
}

const SHOWN_DECIMALS = 8;

/** The figure shrinks with its length and is never cut off (four sizes, and one for the longest). */
function lengthStep(length: number): string | undefined {
  if (length > 17) return "longest";
  if (length > 13) return "longer";
  if (length > 10) return "long";
  return length > 8 ? "medium" : undefined;
}
