import { describe, expect, it } from "vitest";
import {
  parsePositionView,
  buildPositionViewHref,
  buildSortLink,
} from "@/components/portfolio/position-view";

const USUAL = parsePositionView({});

describe("the URL of a view of positions", () => {
  it("has no query for the default view", () => {
    expect(USUAL).toEqual({ text: "", sort: "value", isDescending: true, page: 1 });
    expect(buildPositionViewHref(USUAL, "1d")).toBe("/");
  });

  it.each([
    { q: "rain & snow", sort: "pnl", dir: "asc" },
    { sort: "market" },
    { sort: "market", dir: "desc" },
    { sort: "towin", page: "2" },
  ])("is parsed to the same view: %j", (query) => {
    const view = parsePositionView(query);
    const href = buildPositionViewHref(view, "all");
    const again = Object.fromEntries(new URL(href, "http://127.0.0.1").searchParams);
    expect(parsePositionView(again)).toEqual(view);
    expect(again["range"]).toBe("all");
  });

  it("ignores unknown query parameters", () => {
    expect(parsePositionView({ sort: "x", q: ["a", "b"], dir: "x", page: "0" })).toEqual(USUAL);
  });

  it("reverses the direction with the second click on a column", () => {
    expect(buildSortLink(USUAL, "value", "1d")).toEqual({
      href: "/?dir=asc",
      direction: "descending",
    });
    expect(buildSortLink(USUAL, "market", "1d")).toEqual({
      href: "/?sort=market",
      direction: "none",
    });
  });
});
