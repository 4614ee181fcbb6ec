import { randomBytes } from "node:crypto";
import { sha256 } from "../../base/secrets.ts";

/** 256 random bits for a cookie or a header. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** What is stored of a token. */
export const tokenHash = (token: string): Buffer => sha256(token);
