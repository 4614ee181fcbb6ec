/** The i18next context of texts that name a memo: wallets call XRP's a destination tag. */
export const memoContext = (networkTitle: string): "tag" | undefined => (networkTitle === "XRP" ? "tag" : undefined);
