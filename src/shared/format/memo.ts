/** A memo in groups of three digits, or four other characters, for reading; what is copied stays whole. */
export const memoGroups = (memo: string): readonly string[] =>
  memo.match(/^\d+$/u.test(memo) ? /.{1,3}/gu : /.{1,4}/gu) ?? [];
