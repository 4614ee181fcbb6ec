export { memoParserOf, parseAddressOf } from "./by-network.ts";
export { accountOf, accountsWritten } from "./spellings.ts";
