import { describe, expect, it } from "vitest";
import { isDatabaseUnavailable, isTransient, isWaitTooLong } from "@/lib/db/errors";

const failed = (code: string) =>
  new Error("a service failed", { cause: Object.assign(new Error("a query failed"), { code }) });

describe("a failure of the database that may be over by the next request", () => {
  it.each([
    ["a connection that broke", "08006"],
    ["a disk that is full", "53100"],
    ["too many connections", "53300"],
    ["a server that stops", "57P01"],
    ["nobody who listens", "ECONNREFUSED"],
    ["a lock that others hold for too long", "55P03"],
    ["a statement that waited for too long", "57014"],
    ["a deadlock that it was chosen to end", "40P01"],
    ["a snapshot that is out of date", "40001"],
  ])("%s", (_, code) => {
    expect(isDatabaseUnavailable(failed(code))).toBe(true);
  });

  it("is not what the statement itself did wrong", () => {
    for (const code of ["22P02", "23505", "23514", "42P01", "42703", "0A000"]) {
      expect(isDatabaseUnavailable(failed(code)), code).toBe(false);
    }
    expect(isDatabaseUnavailable(new Error("invariant broken"))).toBe(false);
    expect(isDatabaseUnavailable("text")).toBe(false);
  });
});

it("only what undid its transaction starts over by itself, and a wait that was too long does not", () => {
  const codes = ["40P01", "40001", "55P03", "57014", "57P01"];
  expect(codes.filter((code) => isTransient(failed(code)))).toEqual(["40P01", "40001"]);
  expect(codes.filter((code) => isWaitTooLong(failed(code)))).toEqual(["55P03", "57014"]);
});
