import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findCommands, listPageActions } from "@/components/shell/page-actions";

const find = (text: string, mode: "paper" | "live" = "paper") =>
  findCommands(
    [{ label: "Wallet" }, { label: "Settings" }, { label: "Orders" }, ...listPageActions(mode)],
    text,
  ).map(({ label }) => label);

describe("the commands that a text finds", () => {
  it.each([
    ["cancel all", "Cancel all open orders"],
    ["orders cancel", "Cancel all open orders"],
    ["deposit", "Add funds"],
    ["start over", "Reset paper account"],
    ["redeem", "Claim all wins"],
    ["new key", "Create API key"],
    ["2fa", "Set up second factor"],
  ])("%s finds %s", (text, label) => {
    expect(find(text)).toContain(label);
  });

  it.each([
    ["walet", "Wallet"],
    ["setings", "Settings"],
    ["cancle", "Cancel all open orders"],
  ])("%s has a typo and finds %s", (text, label) => {
    expect(find(text)).toEqual([label]);
  });

  it("include no guesses if a command matches without a typo", () => {
    expect(find("order")).toEqual(["Orders", "Cancel all open orders"]);
  });

  it("rank the best match first", () => {
    expect(find("orders").at(0)).toBe("Orders");
    expect(find("nothing is called this")).toEqual([]);
  });
});

describe("the actions of an account's pages", () => {
  it("offer funds and a reset only for paper money", () => {
    expect(find("add funds", "live")).toEqual([]);
    expect(find("reset", "live")).toEqual([]);
    expect(find("cancel all", "live")).toEqual(["Cancel all open orders"]);
  });

  it("lead to pages of the dashboard", () => {
    for (const { href } of listPageActions("paper")) {
      const [path = ""] = href.split(/[?#]/);
      expect(existsSync(`app/(dashboard)${path}/page.tsx`), path).toBe(true);
    }
  });
});
