export { blacklisted, isBlacklisted, isBlacklistedSql, listedAs } from "./blacklist.ts";
