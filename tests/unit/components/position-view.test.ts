import { describe, expect, it } from "vitest";
import {
  parsePositionView,
  positionViewHref,
  sortLink,
} from "@/components/portfolio/position-view";

const USUAL = parsePositionView({});

describe("the address of a view of positions", () => {
  it("is the page itself when everything is as usual", () => {
    expect(USUAL).toEqual({ show: "all", text: "", sort: "value", isDescending: true });
    expect(positionViewHref(USUAL, "1d")).toBe("/");
  });

  it.each([
    { show: "redeemable", q: "rain & snow", sort: "pnl", dir: "asc" },
    { sort: "market" },
    { sort: "market", dir: "desc" },
    { show: "open", sort: "towin" },
  ])("leads back to the view it was made from: %j", (query) => {
    const view = parsePositionView(query);
    const href = positionViewHref(view, "all");
    const again = Object.fromEntries(new URL(href, "http://127.0.0.1").searchParams);
    expect(parsePositionView(again)).toEqual(view);
    expect(again["range"]).toBe("all");
  });

  it("takes what it does not know for not there", () => {
    expect(parsePositionView({ show: "x", sort: "x", q: ["a", "b"], dir: "x" })).toEqual(USUAL);
  });

  it("turns the direction around at the second click on a column", () => {
    expect(sortLink(USUAL, "value", "1d")).toEqual({
      href: "/?dir=asc",
      direction: "descending",
    });
    expect(sortLink(USUAL, "market", "1d")).toEqual({ href: "/?sort=market", direction: "none" });
  });
});
