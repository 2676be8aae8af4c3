import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { TextTable } from "@/components/docs/text-table";

export const metadata: Metadata = { title: "Money" };

const FIGURES = [
  ["balanceUsdc", "Cash you own, with what open buy orders reserve."],
  ["balanceBaseUnit", "The same in millionths of a USDC, as text: balanceUsdc × 1,000,000."],
  ["value", "Of a position: shares × currentPrice."],
  ["portfolioValue", "balanceUsdc and the value of all positions."],
  ["pnl", "Of a position: value less what its shares cost, without fees, at average cost."],
  ["pnlPercent", "pnl in percent of that cost: 12.5 is 12.5 %."],
  [
    "totalPnl",
    "Realized and unrealized, after fees: portfolioValue less everything that was paid in.",
  ],
  [
    "currentPrice",
    "The midpoint of the book; the last trade when the spread is wider than 0.10; 1 or 0 once resolved.",
  ],
] as const;

export default function MoneyPage() {
  return (
    <Article
      title="Money"
      lead="Units, rounding, fees, and how the figures of a portfolio are made. The service calculates in whole millionths, never in floating point."
    >
      <Measures />
      <Figures />
    </Article>
  );
}

function Measures() {
  return (
    <>
      <Chapter id="units" title="Units">
        <ul>
          <li>
            Amounts are USDC, shares are shares, prices are USDC per share between 0 and 1. A share
            pays 1 USDC if its outcome wins and nothing otherwise, so a price is also a probability.
          </li>
          <li>
            All three have at most six decimals, and JSON numbers carry them exactly up to
            999,999,999.999999.
          </li>
          <li>
            A market BUY is sized by <Code>amount</Code> (what to spend) or <Code>shares</Code>; a
            SELL always by <Code>shares</Code>.
          </li>
        </ul>
      </Chapter>
      <Chapter id="precision" title="Precision and ticks">
        <p>
          More than six decimals is <Code>PRECISION_TOO_HIGH</Code>; shares trade in lots of 0.01.
          Each market has a <Code>tickSize</Code>, and a limit price must lie on that grid:{" "}
          <Code>PRICE_OFF_TICK</Code> names the two prices around yours. Tick sizes differ between
          markets; read them, do not assume them. Send <Code>tickSize</Code> with an order to have
          it refused should the market&rsquo;s differ.
        </p>
      </Chapter>
      <Chapter id="rounding" title="Rounding">
        <p>
          What you pay is rounded up, what you receive is rounded down, both at the sixth decimal.
          The shares of a limit BUY that is sized by amount are ⌊amount / price⌋, so it never costs
          more than the amount.
        </p>
      </Chapter>
    </>
  );
}

function Figures() {
  return (
    <>
      <Chapter id="fees" title="Fees">
        <CodeSample label="the fee of a fill" code="fee = shares × feeRate × price × (1 − price)" />
        <p>
          The taker pays it, cut to 0.00001 USDC; whoever&rsquo;s order was resting pays nothing. It
          is highest at a price of 0.50 and vanishes at the ends. <Code>feeRate</Code> is a property
          of the market, and 0 in many. 100 shares at 0.50 with a rate of 0.07 cost 1.75 USDC.
        </p>
      </Chapter>
      <Chapter id="holds" title="What an open order reserves">
        <p>
          The worst it can cost: limit price and highest fee for what would fill at once. The
          difference comes back with each fill. What rests on the book reserves no fee, because
          makers pay none. A SELL reserves its shares. Canceling releases what is left.
        </p>
      </Chapter>
      <Chapter id="figures" title="Portfolio figures" isWide>
        <TextTable
          caption="Figures of a portfolio"
          head={["Figure", "How it is made"]}
          rows={FIGURES.map(([name, text]) => ({
            key: name,
            cells: [<Code key={name}>{name}</Code>, text],
          }))}
        />
      </Chapter>
      <Chapter id="ledger" title="The ledger">
        <p>
          Every movement is a line with one account that gives and one that receives. Lines are
          never changed or removed, and every balance is the sum of its lines.{" "}
          <Code>GET /v1/activity</Code> lists yours with the running balance.
        </p>
      </Chapter>
    </>
  );
}
