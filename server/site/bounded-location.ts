/** The headers of an answer have 16 kB together in Node's clients, and proxies take less. */
const MAX_LENGTH = 4_096;

/** Where a redirect leads, as a header can hold it: without its query where that is too long, home where its path is. */
export function boundedLocation(to: string): string {
  if (to.length <= MAX_LENGTH) return to;
  const [path = ""] = to.split(/[?#]/, 1);
  return path.length <= MAX_LENGTH ? path : "/";
}
