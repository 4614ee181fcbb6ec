export { startNotices, type Notices } from "./notices.ts";
export { tellOwner } from "./outbox.ts";
export { listSandboxMail } from "./sandbox-mail.ts";
