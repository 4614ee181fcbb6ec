import { describe, expect, test } from "vitest";
import { readConfig } from "../../config/config.ts";
import { isPublicAddress } from "../../base/outbound/public-address.ts";
import { isPushEndpoint } from "./endpoints.ts";

const services = readConfig({}).push ?? { services: [], sandboxService: null };

describe("an endpoint", () => {
  test.each([
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
    "https://web.push.apple.com/QGu",
    "https://wns2-par02p.notify.windows.com/w/?token=BQ",
  ])("of a browser's push service is sent to: %s", (endpoint) => {
    expect(isPushEndpoint(endpoint, services)).toBe(true);
  });

  test.each([
    ["of nobody we know", "https://evil.example/push"],
    ["whose name only ends alike", "https://evilfcm.googleapis.com.evil.example/x"],
    ["whose name only begins alike", "https://notpush.apple.com/x"],
    ["without TLS", "http://fcm.googleapis.com/fcm/send/x"],
    ["with another port", "https://fcm.googleapis.com:8443/x"],
    ["with a user's name", "https://fcm.googleapis.com@evil.example/x"],
    ["with a password", "https://a:b@fcm.googleapis.com/x"],
    ["of this machine", "https://127.0.0.1/x"],
    ["of this machine, without TLS", "http://localhost:3000/api/v1/health"],
    ["of this machine in octal", "https://0177.0.0.1/x"],
    ["of this machine as a number", "https://2130706433/x"],
    ["of the cloud's metadata", "http://169.254.169.254/latest/meta-data/"],
    ["of a private network", "https://[fd00::1]/x"],
    ["with a backslash", "https://evil.example\\@fcm.googleapis.com/x"],
    ["that is a file", "file:///etc/passwd"],
    ["that is no address", "fcm.googleapis.com"],
  ])("%s is not", (_, endpoint) => {
    expect(isPushEndpoint(endpoint, services)).toBe(false);
  });

  test("of the sandbox's own service is sent to while it is named, and no other port of it", () => {
    const sandbox = { ...services, sandboxService: "http://127.0.0.1:8099" };

    expect(isPushEndpoint("http://127.0.0.1:8099/push/a", sandbox)).toBe(true);
    expect(isPushEndpoint("http://127.0.0.1:8098/push/a", sandbox)).toBe(false);
    expect(isPushEndpoint("http://u@127.0.0.1:8099/push/a", sandbox)).toBe(false);
  });
});

test.each([
  ["142.250.185.74", true],
  ["2a00:1450:4001:81c::200a", true],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["169.254.169.254", false],
  ["172.31.255.255", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::7f00:1", false],
  ["fe80::1", false],
  ["fd12:3456::1", false],
  ["2002:7f00:1::", false],
  ["2001:db8::1", false],
  ["no address", false],
])("%s is public: %s", (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
