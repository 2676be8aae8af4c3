import { describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log";
import { checkHosting } from "@/lib/server/check-hosting";

type Settings = Parameters<typeof checkHosting>[0];

const SOUND: Settings = {
  DATABASE_URL: "postgres://u@db/ante",
  NEXTAUTH_URL: "https://ante.example",
  VENUES: ["paper", "polymarket"],
  TRUSTED_PROXIES: 1,
  MARKET_DATA: "simulated",
  PORT: 3000,
  CLOB_API_URL: "https://clob.polymarket.com",
  GAMMA_API_URL: "https://gamma-api.polymarket.com",
};
const SANDBOX = "http://127.0.0.1:3001/sandbox";
const LIVE_BOOKS = { MARKET_DATA: "polymarket", CLOB_API_URL: `${SANDBOX}/clob` } as const;
const check = (change: Partial<Settings>, isVercel = false) =>
  checkHosting({ ...SOUND, ...change }, { isVercel });

describe("checkHosting", () => {
  it.each([
    ["a server behind TLS", {}, false],
    ["a function host with Postgres and its own origin", {}, true],
    [
      "localhost by address",
      { NEXTAUTH_URL: "http://127.0.0.1:3000", DATABASE_URL: undefined },
      false,
    ],
    ["localhost by name", { NEXTAUTH_URL: "http://localhost:3000" }, false],
    ["live books of Polymarket", { MARKET_DATA: "polymarket" }, false],
    ["live books of another service", LIVE_BOOKS, false],
    ["live orders on its own sandbox", { CLOB_API_URL: SANDBOX, PORT: 3001 }, false],
    ["paper trading over http", { NEXTAUTH_URL: "http://10.0.0.5:3000", VENUES: ["paper"] }, false],
  ] as [string, Partial<Settings>, boolean][])("starts on %s", (_, change, isVercel) => {
    expect(() => check(change, isVercel)).not.toThrow();
  });

  it.each([
    ["live trading over http", { NEXTAUTH_URL: "http://10.0.0.5:3000" }, false, "unencrypted"],
    ["a host without a disk or Postgres", { DATABASE_URL: undefined }, true, "DATABASE_URL"],
    ["paper markets from its own sandbox", { ...LIVE_BOOKS, PORT: 3001 }, false, "own sandbox"],
    [
      "a catalogue at its own origin",
      { MARKET_DATA: "polymarket", GAMMA_API_URL: "https://ante.example/sandbox/gamma" },
      false,
      "own sandbox",
    ],
    ["no public origin", { NEXTAUTH_URL: "http://127.0.0.1:3000" }, true, "NEXTAUTH_URL"],
  ] as [string, Partial<Settings>, boolean, string][])(
    "refuses %s with the reason",
    (_, change, isVercel, reason) => {
      expect(() => check(change, isVercel)).toThrow(reason);
    },
  );

  it("warns when limits would count all visitors as one", () => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
    check({ TRUSTED_PROXIES: 0 });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("TRUSTED_PROXIES"));
    warn.mockRestore();
  });
});
