import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LastUse } from "@/components/keys/key-state";

it("the last use of a key that was never used begins with a capital, with and without its name", () => {
  const show = (isNamed: boolean) =>
    renderToStaticMarkup(createElement(LastUse, { lastUsedAt: null, isIdle: false, isNamed }));
  expect(show(false)).toContain(">Never</span>");
  expect(show(true)).toContain(">Never used</span>");
});
