export { startNotices, type Notices, type NoticesParts } from "./notices.ts";
export { tellOwner } from "./outbox/outbox.ts";
export { listSandboxMail } from "./mail/sandbox-mail.ts";
