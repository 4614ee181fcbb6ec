import { expect, test } from "vitest";
import { isIpList } from "./ip-list.ts";

test.each([
  ["", true],
  ["  ", true],
  ["185.12.44.7", true],
  ["185.12.44.0/24", true],
  ["2001:db8::1", true],
  ["2001:db8::/32, 185.12.44.7 ,10.0.0.0/8", true],
  ["185.12.44", false],
  ["185.12.44.256", false],
  ["185.12.44.0/33", false],
  ["2001:db8::/129", false],
  ["185.12.44.7,", false],
  ["185.12.44.7;10.0.0.1", false],
  ["::ffff:1.2.3.4", true],
  ["::ffff:1.2.3.4/96", true],
  ["::ffff:1.2.3.4/120", true],
  ["::ffff:1.2.3.4/24", false],
  ["0:0:0:0:0:FFFF:0102:0304/95", false],
  ["10.0.0.0/8,::ffff:1.2.3.4/0", false],
  ["example.com", false],
  ["*", false],
])("%j is a list of addresses: %s", (text, expected) => expect(isIpList(text)).toBe(expected));
