import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SettledHoldings } from "@/components/trading/position/settled-holdings";

type Props = ComponentProps<typeof SettledHoldings>;

/** Renders what an account got, as text without the dots of hidden values. */
const read = (props: Partial<Props>) =>
  renderToStaticMarkup(
    createElement(SettledHoldings, { redemptions: [], held: 0, mode: "paper", ...props }),
  )
    .replace(/<[^>]+>/g, "")
    .replaceAll("••••", "");

const WON = { outcome: "Ostrel Owls", shares: 127.11, payoutUsdc: 127.11 };
const LOST = { outcome: "Kestrel United", shares: 20, payoutUsdc: 0 };

describe("the banner of a resolved market with nothing to claim", () => {
  it("says what was held and paid", () => {
    expect(read({ redemptions: [WON] })).toBe("You held 127.11 Ostrel Owls and were paid $127.11.");
    expect(read({ redemptions: [LOST] })).toBe("You held 20 Kestrel United and were paid nothing.");
    // Also while the lost shares are still held, or the positions unknown.
    expect(read({ redemptions: [WON], held: 1 })).toContain("were paid $127.11.");
    expect(read({ redemptions: [WON, LOST], held: null })).toContain("were paid nothing.");
  });

  it("says what is known without a redemption", () => {
    expect(read({ held: 1 })).toBe("You held the losing outcome, so your shares pay nothing.");
    expect(read({ held: 0 })).toBe("You held no shares when this market was resolved.");
    expect(read({ held: 0, mode: "live" })).toBe("You hold no shares in this market now.");
    expect(read({ held: null })).toBe("Your shares can&#x27;t be shown right now.");
  });
});
