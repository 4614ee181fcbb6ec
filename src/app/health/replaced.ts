import type { HealthStatus } from "#contract/health-call.ts";

/** Orders stay open whatever happens: their pages hold the deposit address. */
const ORDERS = /^\/orders?(?:\/|$)/;

/** Whether the non-working layout stands in place of a page (path without language prefix). */
export const isReplaced = (health: HealthStatus, path: string): boolean => health !== "OK" && !ORDERS.test(path);
