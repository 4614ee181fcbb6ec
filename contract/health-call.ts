export const HEALTH_STATUSES = ["OK", "TECHNICAL_DIFFICULTIES", "UNHEALTHY"] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** Where the service's health is asked, apart from the other calls: every page looks at it soon. */
export const HEALTH_CALL = { path: "/api/v1/health", timeoutMs: 10_000 } as const;
