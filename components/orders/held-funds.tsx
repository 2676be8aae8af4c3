import { Money, Shares } from "@/components/format/values";
import type { OpenOrdersWire } from "@/lib/browser/use-open-orders";

interface Props {
  totals: OpenOrdersWire["totals"];
}

/** The cash and the shares that open orders hold: "$179.46 in buys, 20 shares in sells". Zero is left out. */
export function HeldFunds({ totals: { buys, sells } }: Props) {
  return (
    <>
      {(buys > 0 || sells === 0) && (
        <>
          <Money usdc={buys} /> in buys
        </>
      )}
      {buys > 0 && sells > 0 && ", "}
      {sells > 0 && (
        <>
          <Shares shares={sells} /> {sells === 1 ? "share" : "shares"} in sells
        </>
      )}
    </>
  );
}
