import { readTyped } from "@/lib/domain/ticket/typed-number";
import type { Action } from "@/lib/domain/settlement";
import { ceilToGrid, floorToGrid, isOnGrid } from "@/lib/domain/tick-grid";
import { formatMicro, ONE, type Price, price } from "@/lib/units";

/** What was typed into a price field, which is in cents. */
export type PriceReading =
  | { kind: "empty" }
  | { kind: "invalid" }
  /** "0.62": a fraction of a dollar where cents are asked for. Offered, never guessed. */
  | { kind: "fraction"; meant: Price }
  | { kind: "outside" }
  | { kind: "off_grid"; below: Price; above: Price }
  | { kind: "price"; price: Price };

/** A dollar has a hundred cents: the step from typed cents to a price. */
const CENTS = 100n;

export function readPrice(text: string, tick: Price): PriceReading {
  const typed = readTyped(text, false);
  if (typed.kind === "too_large") return { kind: "outside" };
  if (typed.kind !== "number") return typed;
  const { micro, decimals } = typed;
  const at = micro / CENTS;
  const isExact = micro % CENTS === 0n && decimals <= 6;
  if (isExact && isOnGrid(price(at), tick)) return { kind: "price", price: price(at) };
  if (decimals > 0 && isOnGrid(price(micro), tick))
    return { kind: "fraction", meant: price(micro) };
  if (at < tick || at > ONE - tick) return { kind: "outside" };
  return {
    kind: "off_grid",
    below: floorToGrid(at, tick),
    above: ceilToGrid(isExact ? at : at + 1n, tick),
  };
}

/** The grid price that a price between two becomes: the one that is better for the user. */
export function snapPrice(reading: PriceReading, action: Action): Price | null {
  if (reading.kind !== "off_grid") return null;
  return action === "BUY" ? reading.below : reading.above;
}

interface Steps {
  /** Ticks to go, down when negative. */
  ticks: number;
  tick: Price;
  /** Where to begin when the field has no price. */
  start: Price;
}

/** The price some ticks away from what the field says, kept on the grid. */
export function stepPrice(reading: PriceReading, { ticks, tick, start }: Steps): Price {
  const away = BigInt(ticks) * tick;
  switch (reading.kind) {
    case "price":
      return floorToGrid(reading.price + away, tick);
    case "off_grid":
      return ticks > 0
        ? floorToGrid(reading.below + away, tick)
        : ceilToGrid(reading.above + away, tick);
    case "fraction":
      return reading.meant;
    default:
      return floorToGrid(start, tick);
  }
}

/** A price as the field shows it: cents without a sign. */
export function centsText(at: Price): string {
  return formatMicro(at * CENTS);
}
