import { createECDH } from "node:crypto";
import { expect, test } from "vitest";
import { open } from "./push-service.ts";

test("the browser's side opens the message that RFC 8291 has for an example", () => {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url");
  const keys = { p256dh: pair.getPublicKey("base64url"), auth: "BTBZMqHH6r4Tts7J_aSIgg" };
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

  expect(keys.p256dh).toBe("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
  expect(open(Buffer.from(body, "base64url"), { keys, pair })).toBe("When I grow up, I want to be a watermelon");
});
