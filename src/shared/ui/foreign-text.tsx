import { visible } from "../format/visible.ts";

/** A text that a stranger wrote: apart from the direction of what surrounds it, broken where it must be, never translated. */
export const ForeignText = ({ children }: { readonly children: string }) => (
  <bdi className="w-foreign-text" translate="no">
    {visible(children)}
  </bdi>
);

/** The same amid a sentence of ours, whose place for it is the only line break: `t("memo", { memo: "\n" })`. */
export function AroundForeignText({ sentence, text }: { readonly sentence: string; readonly text: string }) {
  const [before, after] = sentence.split("\n");
  return (
    <>
      {before}
      <ForeignText>{text}</ForeignText>
      {after}
    </>
  );
}
