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
