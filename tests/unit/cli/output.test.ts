import { describe, expect, it } from "vitest";
import { COMMANDS, findCommand } from "@/packages/cli/src/commands";
import { renderCompletion } from "@/packages/cli/src/completion";
import { renderHelp, renderOverview } from "@/packages/cli/src/help";
import { Output } from "@/packages/cli/src/output";

function write(isTTY: boolean, options: Partial<{ json: boolean; noColor: boolean }> = {}) {
  let text = "";
  const stdout = { isTTY, write: (chunk: string) => (text += chunk) };
  const output = new Output(
    { stdout, stderr: stdout },
    { json: false, noColor: false, ...options },
  );
  output.table({ rows: 1 }, [{ market: "Rain\u001B[2Jin April?\n\u202E", price: "0.42" }], "None.");
  return text;
}

describe("output", () => {
  it("is a table on a terminal, and JSON in a pipe or on request", () => {
    expect(write(true)).toContain("0.42");
    expect(write(false)).toBe('{"rows":1}\n');
    expect(write(true, { json: true })).toBe('{"rows":1}\n');
  });

  it("has colors on a terminal, unless NO_COLOR is set", () => {
    expect(write(true)).toContain("\u001B[1m");
    expect(write(true, { noColor: true })).not.toContain("\u001B");
  });

  it("shows no control characters of a market's title", () => {
    const text = write(true, { noColor: true });
    expect(text).toContain("Rain�[2Jin April?");
    expect(["\u001B", "\u202E"].filter((character) => text.includes(character))).toEqual([]);
  });
});

describe("a long text", () => {
  const url = `http://127.0.0.1:3000/approvals/ord_${"1".repeat(40)}`;
  const render = (draw: (output: Output) => void) => {
    let text = "";
    const stdout = { isTTY: true, write: (chunk: string) => (text += chunk) };
    draw(new Output({ stdout, stderr: stdout }, { json: false, noColor: true }));
    return text;
  };

  it("is whole in a list of names and values, and in the last column of a table", () => {
    expect(render((output) => output.facts({}, { "approve at": url, key: "a" }))).toContain(url);
    const rows = [{ check: "orders", detail: url }];
    expect(render((output) => output.table({}, rows, ""))).toContain(url);
  });

  it("is cut in the other columns of a table", () => {
    const text = render((output) => output.table({}, [{ market: url, price: "0.42" }], ""));
    expect(text).not.toContain(url);
    expect(text).toMatch(/…  0\.42$/m);
  });
});

describe("help", () => {
  it("lists every command, and explains each with its options", () => {
    const overview = renderOverview(COMMANDS);
    for (const command of COMMANDS) {
      expect(overview).toContain(`${command.name} `);
      const help = renderHelp(command);
      expect(help).toContain(`Usage: ante ${command.name}`);
      for (const option of Object.keys(command.options ?? {}))
        expect(help).toContain(`--${option}`);
    }
  });

  it("finds commands of one word and of two", () => {
    expect(findCommand(["balance"])?.name).toBe("balance");
    expect(findCommand(["order", "place", "x"])?.name).toBe("order place");
    expect(findCommand(["order"])).toBeUndefined();
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("of %s knows every command", (shell) => {
    const script = renderCompletion(shell, COMMANDS);
    for (const { name } of COMMANDS)
      for (const word of name.split(" ")) expect(script).toContain(word);
  });
});
