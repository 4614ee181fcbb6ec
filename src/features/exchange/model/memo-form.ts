type MemoForm = {
  readonly label: "destination.memo" | "destination.tag";
  readonly refundLabel: "destination.refundMemo" | "destination.refundTag";
  readonly placeholder: "destination.memoPlaceholder" | "destination.tagPlaceholder";
  readonly inputMode: "text" | "numeric";
};

const TAG: MemoForm = {
  label: "destination.tag",
  refundLabel: "destination.refundTag",
  placeholder: "destination.tagPlaceholder",
  inputMode: "numeric",
};

const MEMO: MemoForm = {
  label: "destination.memo",
  refundLabel: "destination.refundMemo",
  placeholder: "destination.memoPlaceholder",
  inputMode: "text",
};

/** What a network calls the note that tells its payments apart, and the keys that it takes: a tag of XRP is a number. */
export const memoForm = (networkTitle: string): MemoForm => (networkTitle === "XRP" ? TAG : MEMO);
