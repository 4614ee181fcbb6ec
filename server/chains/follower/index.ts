export { confirmationsAt, isCanonical, readTip, readTips, tailHashAt } from "./tail.ts";
