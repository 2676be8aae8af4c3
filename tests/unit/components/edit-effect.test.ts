import { expect, it } from "vitest";
import { describeEditEffect } from "@/components/orders/edit-effect";
import { readPriceField, readSharesField } from "@/components/orders/edit-fields";

const BUY = {
  action: "BUY",
  price: 0.5,
  tickSize: "0.01",
  postOnly: false,
  marketPrice: 0.54,
} as const;
const SELL = { ...BUY, action: "SELL", price: 0.6 } as const;

function describeEffect(order: Parameters<typeof describeEditEffect>[0], text: string) {
  const { value, problem } = readPriceField(text, order.tickSize);
  if (value === null) throw new Error(problem);
  return describeEditEffect(order, value);
}

it("a typed price that crosses the book says that the order fills immediately", () => {
  expect(describeEffect(BUY, "54")).toMatch(/^Fills immediately at 54¢\. .*fee/);
  expect(describeEffect(BUY, "56")).toMatch(/^Fills immediately, at 54¢ to 56¢\. .*fee/);
  expect(describeEffect(SELL, "54")).toMatch(/^Fills immediately at 54¢\./);
  expect(describeEffect(SELL, "52")).toMatch(/^Fills immediately, at 54¢ to 52¢\./);
  expect(describeEffect({ ...BUY, postOnly: true }, "54")).toMatch(/post-only.* below 54¢\.$/);
  expect(describeEffect({ ...SELL, postOnly: true }, "54")).toMatch(/post-only.* above 54¢\.$/);
});

it("another typed price says that the order loses its place in the queue, and how far it is from the best price", () => {
  const queue = "Moves to the end of the queue at";
  expect(describeEffect(BUY, "53")).toBe(`${queue} 53¢, 1¢ below the best offer.`);
  expect(describeEffect(SELL, "55")).toBe(`${queue} 55¢, 1¢ above the best bid.`);
  expect(describeEffect({ ...BUY, marketPrice: null }, "99")).toBe(`${queue} 99¢.`);
});

it("the same price says nothing", () => {
  expect(describeEffect(BUY, "50")).toBeNull();
});

it.each([
  ["50.5", "This market trades in steps of 1¢. Use 50¢ or 51¢."],
  ["50.05", "This market trades in steps of 1¢. Use 50¢ or 51¢."],
  ["0", "Price must be between 1¢ and 99¢."],
  ["100", "Price must be between 1¢ and 99¢."],
  ["0.5", "Prices are in cents. Did you mean 50¢?"],
  ["abc", "Enter a number, like 25 or 25.50."],
  ["", "Enter a limit price."],
])("a price of %j says what is wrong with it", (text, problem) => {
  expect(readPriceField(text, "0.01")).toEqual({ value: null, problem });
});

it.each([
  ["", "Enter a number of shares, such as 100."],
  ["0", "Enter a number of shares, such as 100."],
  ["many", "Enter a number of shares, such as 100."],
  ["10.005", "Enter a number of shares, such as 100."],
  ["0.005", "Use at most 2 decimals."],
])("a number of shares of %j says what is wrong with it", (text, problem) => {
  expect(readSharesField(text)).toEqual({ value: null, problem });
});
