import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { settled } from "../../testing/render.tsx";
import { AppRoot, Radio, SegmentedControl, TextArea, TextField, Checkbox } from "../index.ts";

function Form() {
  const [amount, setAmount] = useState("500");
  const [isTicked, setTicked] = useState(false);
  const [text, setText] = useState("");
  const [option, setOption] = useState<"c" | "d" | null>(null);
  const [mode, setMode] = useState<"a" | "b">("a");
  const options = [
    { value: "a", label: "A" },
    { value: "b", label: "B" },
  ] as const;
  return (
    <>
      <TextField id="amount" name="amount" label="Amount" value={amount} onValue={setAmount} />
      <Checkbox checked={isTicked} onChecked={setTicked} label="Terms" />
      <SegmentedControl name="mode" label="Mode" value={mode} options={options} onValue={setMode} />
      <TextArea id="text" name="text" label="Text" rows={2} value={text} onValue={setText} />
      {(["c", "d"] as const).map((value) => (
        <Radio key={value} name="option" value={value} checked={option === value} onChecked={() => setOption(value)}>
          {value}
        </Radio>
      ))}
      <output>{`${amount} ${isTicked} ${mode} ${text} ${option}`}</output>
    </>
  );
}

afterEach(() => document.body.replaceChildren());

describe("what is done before hydration", () => {
  it("reaches the state", async () => {
    const container = document.createElement("div");
    container.innerHTML = renderToString(
      <AppRoot>
        <Form />
      </AppRoot>,
    );
    document.body.append(container);
    const input = (selector: string) => container.querySelector<HTMLInputElement>(selector) as HTMLInputElement;
    input("#amount").value = "7";
    input("[type=checkbox]").checked = true;
    input("[value=b]").checked = true;
    input("[value=d]").checked = true;
    input("textarea").value = "Hello";

    await settled(
      () =>
        void hydrateRoot(
          container,
          <AppRoot>
            <Form />
          </AppRoot>,
        ),
    );

    expect(container.querySelector("output")?.textContent).toBe("7 true b Hello d");
    expect(input("#amount").value).toBe("7");
  });
});
