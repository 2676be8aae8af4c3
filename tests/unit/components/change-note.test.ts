import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ChangeNote } from "@/app/(dashboard)/_limits/change-note";

const read = (query: string, isFrozen = true) =>
  renderToStaticMarkup(
    createElement(ChangeNote, { query: new URLSearchParams(query), what: "The key", isFrozen }),
  ).replaceAll(/<[^>]*>/g, "");

it("a freeze says how many orders it canceled, which ended before, and which are still open", () => {
  expect(read("done=frozen&canceled=3&late=1&waiting=2")).toBe(
    "The key is frozen. 3 orders canceled. One filled or ended before it could be canceled. 2 aren’t canceled yet. Ante keeps trying.",
  );
  expect(read("saved=frozen&canceled=0&late=0&waiting=0")).toBe(
    "The key is frozen. No orders were open.",
  );
  expect(read("done=frozen&canceled=0&late=0&waiting=1")).toBe(
    "The key is frozen. One isn’t canceled yet. Ante keeps trying.",
  );
});

it("a freeze that was thawed since says nothing", () => {
  expect(read("done=frozen&canceled=3&late=0&waiting=0", false)).toBe("");
  expect(read("done=frozen&canceled=many&late=0&waiting=0")).toBe("");
});
