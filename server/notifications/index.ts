export { startNotices, type Notices, type NoticesParts } from "./notices.ts";
export { tellOwner } from "./outbox.ts";
export { listSandboxMail } from "./sandbox-mail.ts";
