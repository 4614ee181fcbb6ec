import { EventEmitter } from "node:events";
import type { Database } from "../../../server/db/database.ts";

/** For an app that asks its database nothing: whatever it would ask is a TypeError. */
export const noDatabase = (): Database => ({ pool: new EventEmitter() }) as unknown as Database;
