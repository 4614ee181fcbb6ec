export { addPartnerRoutes } from "./routes.ts";
export { createUsedSignatures } from "./signing/used-signatures.ts";
