import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Rejection } from "@/components/orders/rejection";

/** Renders a rejection as text, without the dots of hidden figures. */
const readRejection = (code: string, message: string) =>
  renderToStaticMarkup(createElement(Rejection, { rejection: { code, message } })).replace(
    /<[^>]+>|•+/g,
    "",
  );

it("a rejection for a shortage writes shares and money with separators", () => {
  expect(
    readRejection(
      "INSUFFICIENT_SHARES",
      "This order needs 12000.5 shares; 1053.24 are available (0 are reserved).",
    ),
  ).toBe("Not enough shares: needed 12,000.5, had 1,053.24");
  expect(
    readRejection("INSUFFICIENT_BALANCE", "This order needs $9,297.75; $0.07 is available."),
  ).toBe("Not enough USDC: needed $9,297.75, had $0.07");
});
