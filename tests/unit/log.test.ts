import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

let lines: string[];
let module: typeof import("@/lib/log");
let printer: typeof import("@/lib/server/console");
const { debug, error, info, log, warn } = console;

beforeEach(async () => {
  lines = [];
  vi.stubEnv("LOG_LEVEL", "trace");
  vi.resetModules();
  vi.doMock("pino", async (importOriginal) => {
    const { pino } = await importOriginal<typeof import("pino")>();
    const sink = { write: (line: string) => void lines.push(line) };
    return { pino: (options: object) => pino(options, sink) };
  });
  module = await import("@/lib/log");
  printer = await import("@/lib/server/console");
});

afterEach(() => {
  Object.assign(console, { debug, error, info, log, warn });
  vi.doUnmock("pino");
  vi.unstubAllEnvs();
});

const CANARY = "canary-51b7";
const parsed = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe("a log line", () => {
  it("drops fields that are not allowed", () => {
    const smuggled = { status: 200, apiKey: CANARY, headers: { cookie: CANARY }, err: CANARY };
    module.log.info("request", smuggled);
    expect(parsed()).toEqual([
      { level: 30, time: expect.any(Number), msg: "request", status: 200 },
    ]);
  });

  it("contains an error's message and stack and its cause's message", () => {
    const cause = Object.assign(new Error("refused"), { config: { data: CANARY } });
    const thrown = Object.assign(new Error("post failed", { cause }), { request: CANARY });
    module.log.error("failed", module.errorFields(thrown));
    expect(parsed()[0]).toMatchObject({ error: "post failed: refused" });
    expect(lines.join("")).not.toContain(CANARY);
  });
});

describe("an error's text", () => {
  const words = "a path /v1/orders/ord_01M8002BFJRVM5BNW3BJ1SZRCB and 0xabc, 78 cents";

  it.each([
    [`no action "ante_paper_${"aB3".repeat(15)}x"`, 'no action "ante_…"'],
    [`0x${"a1".repeat(32)} is no key`, "0xa1a1a… is no key"],
    [`cookie eyJhbGciOiJkaXIi.${"x".repeat(40)}.y`, "cookie eyJhb…"],
    [words, words],
  ])("loses what has the shape of a secret: %s", (text, told) => {
    const { error: message, stack = "" } = module.errorFields(new Error(text));
    expect(message).toBe(told);
    expect(stack).toContain(told);
    expect(module.errorFields(text).error).toBe(told);
  });
});

describe("console output of libraries", () => {
  it("becomes log lines without the properties of errors", () => {
    printer.logConsole();
    const thrown = Object.assign(new Error("render failed"), { params: [CANARY] });
    globalThis.console.error("⨯", thrown);
    globalThis.console.warn("careful", { token: CANARY });
    globalThis.console.log("ready");
    globalThis.console.debug(CANARY);
    expect(parsed().map(({ level, msg, error: text }) => [level, msg, text])).toEqual([
      [50, "console", "render failed"],
      [40, "console", "careful"],
      [30, "console", "ready"],
    ]);
    for (const line of parsed()) {
      expect(Object.keys(line).filter((name) => !module.LOG_NAMES.includes(name))).toEqual([]);
    }
    expect(lines.join("")).not.toContain(CANARY);
  });
});
