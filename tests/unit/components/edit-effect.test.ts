import { expect, it } from "vitest";
import { describeEditEffect } from "@/components/orders/edit-effect";
import { readPrice } from "@/lib/domain/ticket/price-field";
import { price } from "@/lib/units";

const BUY = {
  action: "BUY",
  price: 0.5,
  tickSize: "0.01",
  postOnly: false,
  marketPrice: 0.54,
} as const;
const SELL = { ...BUY, action: "SELL", price: 0.6 } as const;

const describeEffect = (order: Parameters<typeof describeEditEffect>[0], text: string) =>
  describeEditEffect(order, readPrice(text, price(10_000n)));

it("a typed price that crosses the book says that the order fills immediately", () => {
  for (const text of ["54", "56"])
    expect(describeEffect(BUY, text)).toMatch(/^Fills immediately, at 54¢ or worse\. .*fee/);
  expect(describeEffect(SELL, "54")).toMatch(/^Fills immediately, at 54¢ or worse\./);
  expect(describeEffect({ ...BUY, postOnly: true }, "54")).toMatch(/post-only.* below 54¢\.$/);
  expect(describeEffect({ ...SELL, postOnly: true }, "54")).toMatch(/post-only.* above 54¢\.$/);
});

it("another typed price says that the order loses its place in the queue", () => {
  expect(describeEffect(BUY, "53")).toBe("Moves to the end of the queue at 53¢.");
  expect(describeEffect(SELL, "55")).toBe("Moves to the end of the queue at 55¢.");
  expect(describeEffect({ ...BUY, marketPrice: null }, "99")).toContain("end of the queue");
});

it("a typed fraction of a dollar says how to enter it in cents", () => {
  expect(describeEffect(BUY, "0.5")).toBe("The price is in cents. Enter 50 for 50¢.");
});

it("the same price, and no price, say nothing", () => {
  for (const text of ["50", "", "x", "120"]) expect(describeEffect(BUY, text)).toBeNull();
});
