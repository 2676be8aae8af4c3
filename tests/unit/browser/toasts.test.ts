import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dismissToast, listToasts, showToast } from "@/lib/browser/toasts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  for (const { id } of listToasts()) dismissToast(id);
  vi.useRealTimers();
});

const show = (id: string, text = id) => showToast({ id, tone: "info", text });
const listTexts = () => listToasts().map(({ text }) => text);

it("a third toast takes the place of the oldest, so that they don't cover the ticket", () => {
  for (const id of ["first", "second", "third"]) show(id);
  expect(listTexts()).toEqual(["third", "second"]);
});

it("a toast with the id of a shown one replaces it in place", () => {
  for (const id of ["first", "second"]) show(id);
  show("first", "first, changed");
  expect(listTexts()).toEqual(["second", "first, changed"]);
});

it("a final toast is not replaced by a later one of the same id", () => {
  showToast({ id: "order", tone: "success", text: "Canceled", isFinal: true });
  show("order", "Order open");
  expect(listTexts()).toEqual(["Canceled"]);
  dismissToast("order");
  show("order", "Order open");
  expect(listTexts()).toEqual([]);
});
