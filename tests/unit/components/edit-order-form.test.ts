import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { type EditedOrder, EditOrderForm } from "@/components/orders/edit-order-form";

const ORDER: EditedOrder = {
  id: "ord_1",
  action: "BUY",
  outcome: "Yes",
  price: 0.5,
  shares: 25,
  filledShares: 5,
  tickSize: "0.01",
  postOnly: false,
  marketPrice: 0.54,
};

/** Renders the form of an order and returns its open value, without the dots of hidden values. */
function readOpenValue(changes: Partial<EditedOrder>): string | undefined {
  const action = async () => ({ status: "idle" }) as const;
  const order = { ...ORDER, ...changes };
  const html = renderToStaticMarkup(
    createElement(EditOrderForm, { order, formKey: "key_1", action, leave: null }),
  );
  const text = html.replace(/<[^>]+>/g, "").replaceAll("••••", "");
  return /Open value([$\d.]+|—)/.exec(text)?.[1];
}

it("the open value is unknown, and stays in its place, while a field has a mistake", () => {
  expect(readOpenValue({})).toBe("$10.00");
  expect(readOpenValue({ price: null })).toBe("—");
  expect(readOpenValue({ shares: null })).toBe("—");
  // The order would fill immediately, or has filled.
  expect(readOpenValue({ price: 0.54, shares: null })).toBeUndefined();
  expect(readOpenValue({ price: null, filledShares: 25 })).toBeUndefined();
});
