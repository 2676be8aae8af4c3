import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LimitFields } from "@/components/limits/limit-fields";
import { writeLimitTexts } from "@/lib/domain/limit-texts";

it("a key that places no orders is asked for its addresses only", () => {
  const texts = writeLimitTexts({ ipAllow: ["203.0.113.0/24"] });
  const attempt = {
    failure: null,
    getError: () => null,
    getText: (_: string, text: string) => text,
  };
  const listNames = (isReading: boolean) => {
    const fields = createElement(LimitFields, { attempt, texts, whose: "key", isReading });
    const names = renderToStaticMarkup(fields).matchAll(/ name="(\w+)"/g);
    return [...names].map(([, name]) => name);
  };
  expect(listNames(true)).toEqual(["ipAllow"]);
  expect(listNames(false)).toContain("perOrder");
});
