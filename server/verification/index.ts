export { deleteDocumentsAfter } from "./retention.ts";
export { openDocumentKey } from "./sealing.ts";
export { createVerification } from "./verification.ts";
