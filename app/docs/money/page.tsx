import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { TextTable } from "@/components/docs/text-table";
import { SECTIONS } from "@/components/docs/sections";

export const metadata: Metadata = { title: "Money" };

const FIGURES = [
  ["balanceUsdc", "Your cash, including funds reserved by open buy orders."],
  ["balanceBaseUnit", "balanceUsdc × 1,000,000, as a string."],
  ["value", "For a position: shares × currentPrice."],
  ["portfolioValue", "balanceUsdc plus the value of all positions."],
  ["pnl", "For a position, before fees: value minus the average cost of its shares."],
  ["pnlPercent", "pnl as a percentage of that cost: 12.5 is 12.5%."],
  ["realizedPnl", "Before fees: proceeds from sold and claimed shares minus their cost."],
  ["unrealizedPnl", "Before fees: the sum of pnl across all positions."],
  ["fees", "All fees paid so far. With a live key, realizedPnl and fees are null."],
  [
    "totalPnl",
    "After fees: realizedPnl + unrealizedPnl − fees. With paper money, it equals portfolioValue minus deposits, to the millionth.",
  ],
  [
    "currentPrice",
    "The midpoint of the book, the last trade if the spread is wider than 0.10, or 1 or 0 once resolved.",
  ],
] as const;

export default function MoneyPage() {
  return (
    <Article
      path="/docs/money"
      sections={SECTIONS["/docs/money"]}
      title="Money"
      lead="Units, rounding, fees and portfolio figures. The service calculates in whole millionths, never in floating point."
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
            Amounts are in USDC. Prices are in USDC per share, between 0 and 1. A share pays 1 USDC
            if its outcome wins and nothing otherwise, so a price is also a probability.
          </li>
          <li>
            Amounts, shares and prices have up to six decimals. The maximum order is 10,000,000
            shares and 10,000,000 USDC, on both venues. A larger order returns{" "}
            <Code>VALIDATION_ERROR</Code>.
          </li>
          <li>
            Size a market BUY by <Code>amount</Code> (the USDC to spend) or <Code>shares</Code>.
            Size a SELL by <Code>shares</Code>.
          </li>
        </ul>
      </Chapter>
      <Chapter id="precision" title="Precision and ticks">
        <p>
          More than six decimals returns <Code>PRECISION_TOO_HIGH</Code>. Shares trade in lots of
          0.01. Each market has a <Code>tickSize</Code>, and a limit price must be a multiple of it.
          Otherwise, <Code>PRICE_OFF_TICK</Code> names the two closest prices. Tick sizes differ
          between markets, so read them instead of assuming them. Send <Code>tickSize</Code> with an
          order to reject it if the market&rsquo;s tick is different.
        </p>
      </Chapter>
      <Chapter id="rounding" title="Rounding">
        <p>
          Payments round up and receipts round down, both at the sixth decimal. A limit BUY sized by
          amount is for ⌊amount / price⌋ shares, so it never costs more than the amount.
        </p>
      </Chapter>
    </>
  );
}

function Figures() {
  return (
    <>
      <Chapter
        id="fees"
        title="Fees"
        code={
          <CodeSample
            label="the fee of a fill"
            code="fee = shares × feeRate × price × (1 − price)"
          />
        }
      >
        <p>
          The taker pays the fee, truncated to 0.00001 USDC. The maker pays nothing. The fee is
          highest at a price of 0.50 and falls to zero at 0 and 1. Each market has its own{" "}
          <Code>feeRate</Code>, often 0. 100 shares at 0.50 with a rate of 0.07 cost 1.75 USDC.
        </p>
      </Chapter>
      <Chapter id="holds" title="Reserved funds">
        <p>
          An open BUY reserves the most it can cost: the limit price, plus the highest fee on the
          part that would fill immediately. Each fill releases the difference. The part that stays
          open reserves no fee, because makers pay none. A SELL reserves its shares. Canceling
          releases the rest.
        </p>
      </Chapter>
      <Chapter id="figures" title="Portfolio figures" isWide>
        <TextTable
          caption="Definitions of the figures"
          head={["Figure", "Definition"]}
          rows={FIGURES.map(([name, text]) => ({
            key: name,
            cells: [<Code key={name}>{name}</Code>, text],
          }))}
        />
      </Chapter>
      <Chapter id="ledger" title="The ledger">
        <p>
          Every movement of money is an entry that debits one account and credits another. Entries
          are never changed or removed, and every balance is the sum of its entries.{" "}
          <Code>GET /v1/activity</Code> lists your entries with the running balance.
        </p>
      </Chapter>
    </>
  );
}
