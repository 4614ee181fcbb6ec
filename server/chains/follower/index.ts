export { confirmationsAt, isCanonical, readTip, tailHashAt } from "./tail.ts";
