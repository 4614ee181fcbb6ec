import { memoContext } from "#contract/address.ts";

export type MemoRule = {
  readonly inputMode: "text" | "numeric";
  /** What is kept of what was typed or pasted. */
  readonly clean: (text: string) => string;
  /** What can't be one; other memos are the service's to judge. */
  readonly isWrong: (memo: string) => boolean;
};

const MAX_TAG = 0xffff_ffff;

/** A tag of XRP is a number of 32 bits, often shown in groups. */
const TAG: MemoRule = {
  inputMode: "numeric",
  clean: (text) => text.replaceAll(/\s/g, ""),
  isWrong: (memo) => !/^\d{0,10}$/.test(memo) || Number(memo) > MAX_TAG,
};

const MEMO: MemoRule = { inputMode: "text", clean: (text) => text, isWrong: () => false };

/** What a network takes as the note that tells its payments apart. */
export const memoRule = (networkTitle: string): MemoRule => (memoContext(networkTitle) === "tag" ? TAG : MEMO);
