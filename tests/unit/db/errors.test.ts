import { describe, expect, it } from "vitest";
import { isDatabaseUnavailable, isTransient, isLockTimeout } from "@/lib/db/errors";

const failed = (code: string) =>
  new Error("a service failed", { cause: Object.assign(new Error("a query failed"), { code }) });

describe("isDatabaseUnavailable", () => {
  it.each([
    ["a broken connection", "08006"],
    ["a full disk", "53100"],
    ["too many connections", "53300"],
    ["a server that is stopping", "57P01"],
    ["no listening server", "ECONNREFUSED"],
    ["a standby, which is read-only", "25006"],
    ["a lock timeout", "55P03"],
    ["a statement timeout", "57014"],
    ["a deadlock", "40P01"],
    ["a serialization failure", "40001"],
  ])("is true for %s", (_, code) => {
    expect(isDatabaseUnavailable(failed(code))).toBe(true);
  });

  it("is false for errors of the statement itself", () => {
    for (const code of ["22P02", "23505", "23514", "42P01", "42703", "0A000"]) {
      expect(isDatabaseUnavailable(failed(code)), code).toBe(false);
    }
    expect(isDatabaseUnavailable(new Error("invariant broken"))).toBe(false);
    expect(isDatabaseUnavailable("text")).toBe(false);
  });
});

it("isTransient is true for deadlocks and serialization failures, isLockTimeout for timeouts", () => {
  const codes = ["40P01", "40001", "55P03", "57014", "57P01"];
  expect(codes.filter((code) => isTransient(failed(code)))).toEqual(["40P01", "40001"]);
  expect(codes.filter((code) => isLockTimeout(failed(code)))).toEqual(["55P03", "57014"]);
});
