export { startMailing, type Mailing } from "./mailing.ts";
export { tellByMail } from "./outbox.ts";
export { listSandboxMail } from "./sandbox-mail.ts";
