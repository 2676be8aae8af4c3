import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";
import { SECTIONS } from "@/components/docs/sections";

export const metadata: Metadata = { title: "Paper and live" };

export default function PaperAndLivePage() {
  return (
    <Article
      path="/docs/paper-and-live"
      sections={SECTIONS["/docs/paper-and-live"]}
      title="Paper and live"
      lead="Paper money trades on an exchange inside this service, on simulated markets or on Polymarket&rsquo;s own. It works like a real exchange, so a program that works here also works live."
    >
      <Chapter id="modes" title="Two separate modes">
        <p>
          The mode belongs to the key: <Code>ante_paper_…</Code> keys can only use the paper
          exchange, and <Code>ante_live_…</Code> keys can only use Polymarket. Live keys need an
          operator who has turned on live trading and a live wallet. The dashboard shows the mode on
          every page.
        </p>
      </Chapter>
      <Chapter id="same" title="The same in both modes">
        <ul>
          <li>Every path, field, error code and order status.</li>
          <li>Idempotency, reserved funds, the ledger, cursors and limits.</li>
          <li>
            Price-time priority at the maker&rsquo;s price. A buy of Yes at 0.60 matches a buy of No
            at 0.40.
          </li>
          <li>Tick sizes, minimum orders, lots of 0.01 share and the taker fee formula.</li>
          <li>Markets that close, resolve and pay out.</li>
        </ul>
      </Chapter>
      <PaperExchange />
      <LiveBooks />
      <LiveAccounts />
      <Chapter id="failures" title="Simulated failures">
        <p>
          A live exchange fails when you don&rsquo;t expect it. The paper exchange fails when you
          send the <Code>X-Rehearse</Code> header. See{" "}
          <a className="link" href="/docs#simulated-failures">
            Simulating failures
          </a>
          .
        </p>
      </Chapter>
    </Article>
  );
}

function LiveAccounts() {
  return (
    <Chapter id="live-accounts" title="Live accounts">
      <ul>
        <li>
          <strong>Orders placed elsewhere</strong> with the same wallet, for example on
          polymarket.com, are recorded with <Code>origin: &quot;external&quot;</Code>. You can list
          and cancel them, and they count toward positions and fills. They have no idempotency key.
        </li>
        <li>
          <strong>The age of a response</strong> is in its <Code>Age</Code> header, in seconds. For
          balance and positions, it counts from the last query to Polymarket. For orders, fills and
          activity, it counts from the last time the account was reconciled with Polymarket, which
          happens every few seconds. While Polymarket doesn&rsquo;t respond, <Code>Age</Code> grows
          and the pages say so.
        </li>
        <li>
          <strong>After an outage</strong>, every account is reconciled as soon as Polymarket
          responds.
        </li>
      </ul>
    </Chapter>
  );
}

/** Shown if the operator set MARKET_DATA to polymarket. */
function LiveBooks() {
  return (
    <Chapter id="live-books" title="Paper money on Polymarket&rsquo;s markets">
      <p>
        The operator can let paper accounts trade Polymarket&rsquo;s real markets.{" "}
        <a className="link" href="/status">
          Status
        </a>{" "}
        shows where prices come from. Nothing is ever sent to Polymarket: money, orders and matching
        stay on this server.
      </p>
      <ul>
        <li>
          <strong>Real</strong>: markets, tokens, ticks, fees, price history, results, and the order
          book, which is never more than five seconds old when it matches an order, and usually less
          than one.
        </li>
        <li>
          <strong>Liquidity you take</strong> is gone for everyone on this server for a minute, and
          for as long as the book at Polymarket doesn&rsquo;t change. It&rsquo;s still there on
          Polymarket, because your order never reaches it.
        </li>
        <li>
          <strong>Resting orders</strong> wait in our own book and fill at their limit price when
          Polymarket&rsquo;s quotes reach it, up to the quoted size. We check once a second. Your
          order is behind everyone who quotes the same price on Polymarket, and a price that
          disappears between two checks fills nothing.
        </li>
        <li>
          <strong>Users of this service</strong> also trade with each other, and have priority at
          the same price.
        </li>
        <li>
          <strong>Closing and results</strong> come from Polymarket, within a minute. Open orders in
          a closed market are canceled. A winning share pays $1.00. If a market has no winner, each
          share pays $0.50.
        </li>
        <li>
          <strong>While Polymarket doesn&rsquo;t respond</strong>, placing orders and everything
          else that needs a price returns 502, and nothing is placed or filled. Balance, orders and
          cancels still work.
        </li>
      </ul>
    </Chapter>
  );
}

function PaperExchange() {
  return (
    <>
      <Chapter id="paper" title="The paper exchange">
        <p>By default, it simulates its markets and prices and needs no network.</p>
        <ul>
          <li>
            <strong>Markets</strong> are written for this service: several hundred in eight
            categories. New ones appear regularly, and old ones resolve shortly after they close.
          </li>
          <li>
            <strong>Prices</strong> are the odds of a hidden random walk that decides the result. As
            in a fair market, no strategy beats them before costs.
          </li>
          <li>
            <strong>Liquidity</strong>: the house quotes a ladder around the price. Liquidity you
            take comes back when the minute ends. Other users have priority over the house at the
            same price.
          </li>
          <li>
            <strong>Resting orders</strong> fill at their limit price when the quotes reach them.
          </li>
          <li>
            <strong>Your own order</strong> is canceled if a new order of yours would trade with it.
          </li>
        </ul>
      </Chapter>
      <Chapter id="not-simulated" title="Not simulated">
        <ul>
          <li>Other traders, except the users of this service and the house.</li>
          <li>Outages that you don&rsquo;t simulate. On simulated markets, news.</li>
          <li>Settlement on a blockchain. A fill is final immediately.</li>
          <li>Maker rebates. On simulated markets, tick size changes.</li>
          <li>The effect of your orders on the price and on other people&rsquo;s orders.</li>
        </ul>
        <p>A paper profit shows that your program works, not that your strategy does.</p>
      </Chapter>
    </>
  );
}
