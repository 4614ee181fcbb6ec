import { beforeEach, expect, it } from "vitest";
import { openingAt } from "../testing/exchange-page.tsx";
import { clearDraft, restoreDraft, saveDraft } from "./draft.ts";
import { setAddress } from "./addresses.ts";
import { type ExchangeState, initialState } from "./state.ts";

const KEY = "exchange-draft:v1";

const stateWith = (changes: Partial<ExchangeState> = {}): ExchangeState => ({
  ...initialState(openingAt(), null),
  ...changes,
});
const address = (address: string) => ({ ...stateWith().destination, address });
const restored = (state = stateWith()): ExchangeState => {
  restoreDraft(state);
  return state;
};

beforeEach(() => sessionStorage.clear());

it("fills the empty fields of the same pair's step", () => {
  saveDraft(stateWith({ destination: address("0xkept"), refund: address("0xback"), areTermsAccepted: true }));
  expect(restored(stateWith({ destination: address("0xtyped") }))).toMatchObject({
    destination: { address: "0xtyped" },
    refund: { address: "0xback" },
    areTermsAccepted: true,
    isMemoWaived: false,
  });
  expect(restored(stateWith({ to: "dai" })).refund.address).toBe("");
  clearDraft();
  expect(restored().refund.address).toBe("");
});

it("restores no memo beside another address than its own, and removes it with its own", () => {
  saveDraft(stateWith({ destination: { ...address("rA"), memo: "12345" } }));
  expect(restored(stateWith({ destination: address("rB") })).destination).toMatchObject({ address: "rB", memo: "" });
  const state = restored();
  expect(state.destination).toMatchObject({ address: "rA", memo: "12345" });
  setAddress(state, "destination", "rB", { address: "rB", memo: null, amount: null });
  expect(state.destination).toMatchObject({ address: "rB", memo: "", isMemoRemoved: true });
});

it("fills in the email of an order that is created again, unless something else was given", () => {
  saveDraft(stateWith({ email: "ann@mail.example" }));
  expect(restored().email).toBe("ann@mail.example");
  expect(restored(stateWith({ email: "bob@mail.example" })).email).toBe("bob@mail.example");
});

it.each([
  "no json",
  "null",
  "[]",
  '{"pair":"eth-usdt-erc20"}',
  '{"pair":"eth-usdt-erc20","texts":7,"ticks":null}',
  '{"pair":"eth-usdt-erc20","texts":{"destination":{}},"ticks":{"areTermsAccepted":"yes"}}',
])("restores nothing from %s", (saved) => {
  sessionStorage.setItem(KEY, saved);
  expect(restored()).toEqual(stateWith());
});
