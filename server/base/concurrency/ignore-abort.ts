/** For waits that are given up on purpose: any other failure is thrown on. */
export function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
