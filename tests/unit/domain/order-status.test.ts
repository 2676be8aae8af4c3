import { describe, expect, it } from "vitest";
import {
  isLive,
  LIVE_STATUSES,
  ORDER_STATUSES,
  type OrderStatus,
  transition,
} from "@/lib/domain/order-status";

/** An x marks an allowed transition from the row to the column. */
const TABLE = `
                 pending pending_approval submitting delayed open filled canceled expired rejected unknown abandoned
pending          .       x                x          x       x    x      x        .       x        .       .
pending_approval .       .                x          x       .    .      x        x       .        .       .
submitting       .       .                .          x       x    x      x        .       x        x       .
delayed          .       .                .          .       x    x      x        x       .        .       .
open             .       .                .          .       x    x      x        x       .        .       .
filled           .       .                .          .       .    .      x        .       .        .       .
canceled         .       .                .          .       .    .      .        .       .        .       .
expired          .       .                .          .       .    .      .        .       .        .       .
rejected         .       .                .          .       x    .      .        .       .        .       .
unknown          .       .                .          x       x    x      x        x       x        .       x
abandoned        .       .                .          x       x    x      x        .       .        .       .`;

const [header = [], ...rows] = TABLE.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));
const ALLOWED = new Set(
  rows.flatMap(([from, ...marks]) =>
    header.flatMap((to, column) => (marks[column] === "x" ? [`${from}>${to}`] : [])),
  ),
);
const PAIRS = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => ({ from, to })));
const isAllowed = ({ from, to }: { from: OrderStatus; to: OrderStatus }) =>
  ALLOWED.has(`${from}>${to}`);

describe("transition", () => {
  it("is defined for every pair of statuses", () => {
    expect([...header].toSorted()).toEqual([...ORDER_STATUSES].toSorted());
    expect(rows.map(([from]) => from).toSorted()).toEqual([...ORDER_STATUSES].toSorted());
    expect(PAIRS).toHaveLength(121);
  });

  it.each(PAIRS.filter(isAllowed))("allows a change from $from to $to", ({ from, to }) => {
    expect(transition(from, to)).toBe(to);
  });

  it.each(PAIRS.filter((pair) => !isAllowed(pair)))(
    "throws on a change from $from to $to",
    ({ from, to }) => {
      expect(() => transition(from, to)).toThrow(`an order cannot change from ${from} to ${to}`);
    },
  );
});

describe("isLive", () => {
  it.each(ORDER_STATUSES)("returns whether an order that is %s can trade", (status) => {
    expect(isLive(status)).toBe(status === "open" || status === "delayed");
  });

  it("agrees with the list that queries use", () => {
    expect(ORDER_STATUSES.filter(isLive).toSorted()).toEqual([...LIVE_STATUSES].toSorted());
  });
});
