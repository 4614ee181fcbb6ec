import { expect, it } from "vitest";
import { orderIdSchema } from "#contract/order.ts";
import { lookupErrors, readOrderLink } from "./lookup-form.ts";

const ID = "7KQ4M2XD7KQ4M2XD7KQ4M2XD";

it.each([
  [ID, "0xab", null, null],
  [` ${ID}\n`, " 0xab ", null, null],
  ["", "", "idEmpty", "addressEmpty"],
  ["  ", "0xab", "idEmpty", null],
  ["7KQ4-M2XD", "0xab", "idWrong", null],
  ["x".repeat(65), "", "idWrong", "addressEmpty"],
])("%j with %j: %s, %s", (orderId, address, idError, addressError) => {
  expect(lookupErrors(orderId, address)).toEqual({ orderId: idError, address: addressError });
});

it.each([ID, "x".repeat(21), "x".repeat(22), "x".repeat(64), "x".repeat(65), `${ID}_`])(
  "judges %s as the contract does",
  (id) => {
    expect(lookupErrors(id, "a").orderId === null).toBe(orderIdSchema.safeParse(id).success);
  },
);

it.each([
  [`https://wherry.example/order/${ID}?destinationAddress=0xab`, ID, "0xab"],
  [` https://wherry.example/ru/order/${ID}/?a=1&destinationAddress=%200xab%20#x `, ID, "0xab"],
  [`http://localhost:3000/order/${ID}`, ID, ""],
  [`https://wherry.example/order/pending?destinationAddress=0xab`, null, null],
  [`/order/${ID}?destinationAddress=0xab`, null, null],
  [`https://wherry.example/exchange-a-b`, null, null],
  [ID, null, null],
  ["", null, null],
])("reads the link %j as %s, %s", (text, orderId, destinationAddress) => {
  expect(readOrderLink(text)).toEqual(orderId === null ? null : { orderId, destinationAddress });
});
