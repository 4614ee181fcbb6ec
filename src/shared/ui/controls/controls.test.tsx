import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useState } from "react";
import { render, settled, type View } from "../../testing/render.tsx";
import {
  AddressGroups,
  Button,
  Checkbox,
  CopyButton,
  ProgressBar,
  Radio,
  SearchField,
  SegmentedControl,
  TextArea,
  TextField,
} from "../index.ts";

let view: View | null = null;
afterEach(async () => {
  await view?.unmount();
  view = null;
});

describe("segmented", () => {
  const options = [
    { value: "FLOATING", label: "Floating" },
    { value: "FIXED", label: "Fixed" },
    { value: "NONE", label: "None", disabled: true },
  ] as const;

  function Choice({ onValue }: { readonly onValue: (value: string) => void }) {
    const [value, setValue] = useState<(typeof options)[number]["value"]>("FLOATING");
    const choose = (next: typeof value) => {
      setValue(next);
      onValue(next);
    };
    return <SegmentedControl name="mode" label="Rate mode" value={value} options={options} onValue={choose} />;
  }

  it("is a named group of native radios, so the arrow keys are the browser's own", async () => {
    view = await render(<Choice onValue={vi.fn()} />);
    expect(view.get('[role="radiogroup"]').getAttribute("aria-label")).toBe("Rate mode");
    const radios = [...view.container.querySelectorAll("input")];
    expect(radios.map(({ type, name }) => `${type} ${name}`)).toEqual(Array(3).fill("radio mode"));
    expect(radios.map(({ checked }) => checked)).toEqual([true, false, false]);
  });

  it("mentions a choice, and disables what is not offered", async () => {
    const onValue = vi.fn();
    view = await render(<Choice onValue={onValue} />);
    await settled(() => view?.get('input[value="FIXED"]').click());
    await settled(() => view?.get('input[value="NONE"]').click());
    expect(onValue.mock.calls).toEqual([["FIXED"]]);
    expect(view.get<HTMLInputElement>('input[value="FIXED"]').checked).toBe(true);
  });
});

describe("radio", () => {
  const radio = (props: { onChecked: () => void; disabled?: boolean }) => (
    <Radio name="document" value="PASSPORT" checked={false} {...props}>
      Passport
    </Radio>
  );

  it("is native, and its label chooses it", async () => {
    const onChecked = vi.fn();
    view = await render(radio({ onChecked }));
    expect(view.get<HTMLInputElement>("input")).toMatchObject({ type: "radio", name: "document", value: "PASSPORT" });
    await settled(() => view?.get("label.w-radio__label").click());
    expect(onChecked).toHaveBeenCalledTimes(1);
  });

  it("that is disabled can't be chosen", async () => {
    const onChecked = vi.fn();
    view = await render(radio({ onChecked, disabled: true }));
    await settled(() => view?.get("label.w-radio__label").click());
    expect(onChecked).not.toHaveBeenCalled();
  });
});

describe("copy button", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const clipboard = (writeText: (text: string) => Promise<void>) =>
    vi.stubGlobal(
      "navigator",
      Object.create(navigator, { clipboard: { value: { writeText } }, userAgent: { value: "" } }),
    );
  const button = <CopyButton value="0.5" label="Copy" copiedLabel="Copied" failedLabel="Copy by hand" />;
  const press = () => settled(async () => view?.get("button").click());

  it("copies the value and says so for two seconds, also to a screen reader", async () => {
    const writeText = vi.fn(async () => undefined);
    clipboard(writeText);
    view = await render(button);
    await press();
    expect(writeText).toHaveBeenCalledWith("0.5");
    expect(view.get("button").textContent).toBe("Copied");
    expect(view.get('[role="status"]').textContent).toBe("Copied");
    await settled(() => vi.advanceTimersByTime(1_999));
    expect(view.get("button").textContent).toBe("Copied");
    await settled(() => vi.advanceTimersByTime(1));
    expect(view.get("button").textContent).toBe("Copy");
    expect(view.get('[role="status"]').textContent).toBe("");
  });

  it("says that nothing was copied where the browser refuses, for as long", async () => {
    clipboard(() => Promise.reject(new DOMException("denied", "NotAllowedError")));
    Object.assign(document, { execCommand: () => false });
    view = await render(button);
    await press();
    expect(view.get("button").textContent).toBe("Copy by hand");
    expect(view.get('[role="status"]').textContent).toBe("Copy by hand");
    await settled(() => vi.advanceTimersByTime(2_000));
    expect(view.get("button").textContent).toBe("Copy");
  });

  it("copies by selection where the clipboard is denied", async () => {
    clipboard(() => Promise.reject(new DOMException("denied", "NotAllowedError")));
    const copied: string[] = [];
    Object.assign(document, { execCommand: () => copied.push(document.querySelector("textarea")?.value ?? "") > 0 });
    view = await render(button);
    await press();
    expect(copied).toEqual(["0.5"]);
    expect(document.querySelector("textarea")).toBeNull();
    expect(view.get("button").textContent).toBe("Copied");
  });
});

describe("address groups", () => {
  const address = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
  const spoken = (node: Node): string =>
    node instanceof Element && node.getAttribute("aria-hidden") === "true"
      ? ""
      : node.nodeType === Node.TEXT_NODE
        ? (node.textContent ?? "")
        : [...node.childNodes].map(spoken).join("");

  it("read as one string, and the visible groups contain nothing but the address", async () => {
    view = await render(<AddressGroups address={address} />);
    expect(spoken(view.container)).toBe(address);
    expect(view.get('[aria-hidden="true"]').textContent).toBe(address);
  });

  it("make the first and last two groups strong", async () => {
    view = await render(<AddressGroups address={address} />);
    const strong = [...view.container.querySelectorAll(".w-address__group--strong")].map(
      ({ textContent }) => textContent,
    );
    expect(strong).toEqual(["0x86", "26f6", "9C11", "99"]);
  });
});

describe("button", () => {
  it("blocks presses while it is busy and keeps the focus", async () => {
    const onClick = vi.fn();
    view = await render(<Button onClick={onClick}>Create order</Button>);
    view.get("button").focus();
    await view.rerender(
      <Button onClick={onClick} busyLabel="Creating order">
        Create order
      </Button>,
    );
    await settled(() => view?.get("button").click());
    expect(onClick).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(view.get("button"));
    expect(view.get('[role="status"]').textContent).toBe("Creating order");
    expect(view.get("button").getAttribute("aria-label")).toBe("Creating order");
  });

  it("does not send a form while it is busy", async () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    const form = (busyLabel: string | null) => (
      <form onSubmit={onSubmit}>
        <Button type="submit" busyLabel={busyLabel}>
          Send
        </Button>
      </form>
    );
    view = await render(form("Sending"));
    await settled(() => view?.get("button").click());
    expect(onSubmit).not.toHaveBeenCalled();
    await view.rerender(form(null));
    await settled(() => view?.get("button").click());
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });
});

describe("fields", () => {
  it("tie their error and hint to the control", async () => {
    view = await render(
      <TextField id="a" name="a" label="Address" value="x" onValue={vi.fn()} error="Wrong" hint="A hint" />,
    );
    const input = view.get<HTMLInputElement>("input");
    expect(input.labels?.[0]?.textContent).toBe("Address");
    expect(input.getAttribute("aria-invalid")).toBe("true");
    const told = (input.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent);
    expect(told).toEqual(["Wrong", "A hint"]);
  });

  it("of several lines tie theirs, and are named by their label alone", async () => {
    view = await render(
      <TextArea id="a" name="a" label="Message" rows={2} value="x" onValue={vi.fn()} error="Wrong" hint="A hint" />,
    );
    const area = view.get("textarea");
    const told = ["aria-labelledby", "aria-describedby"].flatMap((name) => (area.getAttribute(name) ?? "").split(" "));
    expect(told.map((id) => document.getElementById(id)?.textContent)).toEqual(["Message", "Wrong", "A hint"]);
  });

  it("of a search have a name, and pass on what else their input is given", async () => {
    view = await render(<SearchField label="Search" maxLength={9} value="" onValue={vi.fn()} aria-controls="found" />);
    const input = view.get("input");
    const given = ["type", "aria-label", "maxlength", "aria-controls"].map((name) => input.getAttribute(name));
    expect(given).toEqual(["search", "Search", "9", "found"]);
  });

  it("say nothing of errors that there are not", async () => {
    view = await render(<TextField id="a" name="a" label="Address" value="" onValue={vi.fn()} />);
    expect(view.get("input").hasAttribute("aria-invalid")).toBe(false);
    expect(view.get("input").hasAttribute("aria-describedby")).toBe(false);
  });

  it("ticks tie theirs", async () => {
    view = await render(<Checkbox checked={false} onChecked={vi.fn()} label="Terms" error="Tick this box" />);
    const input = view.get<HTMLInputElement>("input");
    expect(document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Tick this box");
  });
});

it("a bar without a name is decoration, with one it is a progress bar", async () => {
  view = await render(<ProgressBar value={1.5} />);
  expect(view.get<HTMLElement>("svg").getAttribute("aria-hidden")).toBe("true");
  await view.rerender(<ProgressBar value={0.25} label="Time left" />);
  expect(view.get('[role="progressbar"]').getAttribute("aria-valuenow")).toBe("25");
});
