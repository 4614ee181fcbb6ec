import { visible } from "../../format/visible.ts";
import { VisuallyHidden } from "./screen-reader.tsx";

/** A text that somebody else wrote: apart from the direction of what surrounds it, broken where it must be, never translated. */
export const ForeignText = ({ children }: { readonly children: string }) => (
  <bdi className="w-foreign-text" translate="no">
    {visible(children)}
  </bdi>
);

/** A memo or tag in groups, as it is compared and typed; one string to a screen reader. */
export const MemoText = ({ children }: { readonly children: string }) => (
  <bdi className="w-foreign-text" translate="no">
    <VisuallyHidden>{visible(children)}</VisuallyHidden>
    <span aria-hidden="true" className="w-number">
      {memoGroups(visible(children)).map((group, index) => (
        <span key={index} className="w-memo__group">
          {group}
        </span>
      ))}
    </span>
  </bdi>
);

type AroundProps = { readonly sentence: string; readonly text: string; readonly isMemo?: boolean };

/** The same amid a sentence of ours, whose place for it is the only line break: `t("memo", { memo: "\n" })`. */
export function AroundForeignText({ sentence, text, isMemo = false }: AroundProps) {
  const [before, after] = sentence.split("\n");
  return (
    <>
      {before}
      {isMemo ? <MemoText>{text}</MemoText> : <ForeignText>{text}</ForeignText>}
      {after}
    </>
  );
}

/** A memo in groups of three digits (the last may have four: none is left alone), or four other characters, for reading. */
const memoGroups = (memo: string): readonly string[] =>
  memo.match(/^\d+$/u.test(memo) ? /.{4}$|.{1,3}/gu : /.{1,4}/gu) ?? [];
