import { describe, expect, it } from "vitest";
import type { Book } from "@/lib/domain/matching";
import { findMid } from "@/lib/domain/order-estimate";
import { price, shares } from "@/lib/units";

const cents = (whole: number) => price(BigInt(whole) * 10_000n);

const level = (side: "bid" | "ask", at: number) => ({
  side,
  price: cents(at),
  size: shares(5_000_000n),
});

describe("the middle of a book", () => {
  const book: Book = {
    orders: [
      {
        id: "ord_1",
        ownerId: "usr_1",
        side: "bid",
        price: cents(42),
        remaining: shares(1n),
        sequence: 1n,
      },
    ],
    house: [level("bid", 40), level("ask", 46), level("ask", 48)],
  };

  it("is between the best bid and the best ask, of users and of the house", () => {
    expect(findMid(book, 0)).toBe(cents(44));
  });

  it("is one dollar less that for the other outcome", () => {
    expect(findMid(book, 1)).toBe(cents(56));
  });

  it("is null while a side is empty", () => {
    expect(findMid({ orders: [], house: [level("bid", 40)] }, 0)).toBeNull();
    expect(findMid({ orders: [], house: [] }, 0)).toBeNull();
  });
});
