export { deleteDocumentsAfter } from "./retention.ts";
export { openDocumentKey } from "./document-key.ts";
export { createVerification } from "./verification.ts";
