import { expect, test } from "vitest";
import messages from "../../../locales/en/account.json" with { type: "json" };
import { PROFILE_ENTRIES, PROFILE_PAGE_NAMES, type ProfileList, profilePage } from "./profile-pages.tsx";

const labelOf = (label: string) =>
  label === "orderHistory"
    ? messages.orderHistory
    : new Map(Object.entries(messages.pages)).get(label.slice("pages.".length));

/** A list's groups as a person reads them. */
function readList(list: ProfileList): (string | undefined)[][] {
  const groups: (string | undefined)[][] = [];
  for (const { name, label, only } of PROFILE_ENTRIES) {
    if (profilePage(name).startsGroup === true || groups.length === 0) groups.push([]);
    if (only === undefined || only === list) groups.at(-1)?.push(labelOf(label));
  }
  return groups;
}

test("beside a page the list has the order of picture 36, and on phones the groups of picture 21", () => {
  expect(readList("wide").flat()).toEqual([
    "Profile",
    "Wallet",
    "History",
    "Affiliate",
    "Cashback",
    "Withdraw",
    "API keys",
    "Identity check",
  ]);
  expect(readList("phone")).toEqual([
    ["Profile"],
    ["Wallet", "Order history", "Identity check"],
    ["Affiliate", "Cashback", "Withdraw", "API keys"],
  ]);
});

test("each list leads to each page once", () => {
  for (const list of ["phone", "wide"]) {
    const names = PROFILE_ENTRIES.filter(({ only }) => only === undefined || only === list).map(({ name }) => name);
    expect(names.toSorted()).toEqual(PROFILE_PAGE_NAMES.toSorted());
  }
});
