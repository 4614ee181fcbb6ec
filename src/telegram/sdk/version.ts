/** Whether a client's version, `7.10`, is this one or a later one; what is no version is none. */
export function isVersionAtLeast(version: string, least: string): boolean {
  const [major = NaN, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
