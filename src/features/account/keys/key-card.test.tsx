import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { notifications } from "../../../shared/page/notifications.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { createFakeService } from "../../../shared/testing/fake-service.ts";
import { answerReauthentication, reauthentication } from "../../../shared/account/reauthentication.ts";
import { KeyCard } from "./key-card.tsx";

const UPDATE = "POST /api/v1/users/update-api-key";
const apiKey = {
  apiId: "7",
  name: "Shop",
  whiteListIp: "",
  isActive: false,
  publicKey: "a".repeat(32),
  lastUsedAt: null,
  createdAt: "2026-11-21T12:00:00.000Z",
};

let view: View;
beforeEach(() => {
  notifications.queue = [];
});
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

async function switchOn(refusal: CodedError): Promise<void> {
  const service = createFakeService({
    [UPDATE]: () => {
      throw refusal;
    },
  });
  vi.stubGlobal("fetch", (request: Request) => service.fetch(request));
  const none = () => undefined;
  view = await render(<KeyCard apiKey={apiKey} onEdit={none} onDelete={none} reload={async () => undefined} />);
  await settled(() => view.get<HTMLElement>("[role=switch], input[type=checkbox]").click());
}

test("a key that is switched on says nothing where its person closes the dialog for the password", async () => {
  await switchOn(new CodedError("ERR_FORBIDDEN", "no", { data: { reauthenticate: true } }));
  await vi.waitFor(() => expect(reauthentication.isAsked).toBe(true));
  await settled(() => answerReauthentication(false));
  await settled();
  expect(notifications.queue).toEqual([]);
});

test("a key that can't be switched on says so", async () => {
  await switchOn(new CodedError("ERR_NOT_FOUND", "no"));
  await vi.waitFor(() => expect(notifications.queue.map(({ type }) => type)).toEqual(["error"]));
});
