import type { Metadata } from "next";
import { Article, Chapter, Code } from "@/components/docs/article";

export const metadata: Metadata = { title: "Paper and live" };

export default function PaperAndLivePage() {
  return (
    <Article
      title="Paper and live"
      lead="Paper money trades on an exchange inside this service. It is a real exchange, on invented markets or on Polymarket’s own, so that a program written against it is a program that works."
    >
      <Chapter id="modes" title="Two modes, kept apart">
        <p>
          The mode belongs to the key: <Code>ante_paper_…</Code> keys reach only the paper exchange,{" "}
          <Code>ante_live_…</Code> keys only Polymarket, and only where the operator has switched
          live trading on and the user has a live wallet. The dashboard shows the mode on every
          page.
        </p>
      </Chapter>
      <Chapter id="same" title="What is the same">
        <ul>
          <li>Every path, field, error code and order status.</li>
          <li>Idempotency, reserved money, the ledger, cursors and limits.</li>
          <li>
            Price-time priority at the maker&rsquo;s price; buying Yes at 0.60 meets buying No at
            0.40.
          </li>
          <li>
            Tick sizes, smallest orders, lots of 0.01 share, and the taker&rsquo;s fee formula.
          </li>
          <li>Markets that close, resolve and pay.</li>
        </ul>
      </Chapter>
      <PaperExchange />
      <LiveBooks />
      <Chapter id="failures" title="Failures on demand">
        <p>
          A live exchange fails in its own time; this one does when asked, by the header{" "}
          <Code>X-Rehearse</Code>. See{" "}
          <a className="link" href="/docs#rehearsals">
            Rehearsing failures
          </a>
          .
        </p>
      </Chapter>
    </Article>
  );
}

/** What is true where the operator set MARKET_DATA to polymarket. */
function LiveBooks() {
  return (
    <Chapter id="live-books" title="Paper money on Polymarket&rsquo;s markets">
      <p>
        The operator may let paper accounts trade Polymarket&rsquo;s real markets.{" "}
        <a className="link" href="/status">
          Status
        </a>{" "}
        says where prices come from. Nothing is ever sent there: the money, the orders and the
        matching stay here.
      </p>
      <ul>
        <li>
          <strong>Real</strong>: markets, tokens, ticks, fees, price history, results, and the order
          book, which is never more than five seconds old when an order meets it, and mostly less
          than one.
        </li>
        <li>
          <strong>What you take</strong> from the book is gone for everybody here for a minute, and
          for as long as the very same book stands at Polymarket. There it is not gone: nobody else
          notices your order.
        </li>
        <li>
          <strong>Resting orders</strong> wait in our own book and fill at their own limit when
          Polymarket&rsquo;s quotes reach it, for no more than these offer. We look once a second.
          So you stand behind everybody who quotes the same price there, and a price that is gone
          between two looks fills nothing.
        </li>
        <li>
          <strong>Users of this service</strong> trade with each other too, and come first at the
          same price.
        </li>
        <li>
          <strong>Closing and results</strong> are Polymarket&rsquo;s, noticed within a minute. What
          rests in a closed market is canceled; a winning share pays a dollar, and half a dollar
          where nobody won.
        </li>
        <li>
          <strong>While Polymarket does not answer</strong>, placing and everything that needs a
          price answers 502, and nothing is placed or filled. Balance, orders and canceling work on.
        </li>
      </ul>
    </Chapter>
  );
}

function PaperExchange() {
  return (
    <>
      <Chapter id="paper" title="How the paper exchange works">
        <p>
          Unless the operator chose otherwise, it invents its markets and prices and needs no
          network.
        </p>
        <ul>
          <li>
            <strong>Markets</strong> are written for this service, several hundred in eight
            categories. New ones keep appearing, old ones resolve a little after they close.
          </li>
          <li>
            <strong>Prices</strong> are the odds of a hidden random walk that decides the result. No
            strategy beats them before costs, as in a fair market.
          </li>
          <li>
            <strong>Liquidity</strong>: the house quotes a ladder around the price. What you take is
            gone until the minute is over. Other users come before the house at the same price.
          </li>
          <li>
            <strong>Resting orders</strong> fill at their own limit when the quotes reach them.
          </li>
          <li>
            <strong>Your own order</strong> in the way of a new one is canceled: the newer
            instruction wins.
          </li>
        </ul>
      </Chapter>
      <Chapter id="not-simulated" title="What is not simulated">
        <ul>
          <li>Other traders, apart from the users of this service and the house.</li>
          <li>Outages beyond what a rehearsal asks for; on invented markets, news.</li>
          <li>Settlement on a chain: a fill is final at once.</li>
          <li>Rebates for makers; on invented markets, tick sizes that change.</li>
          <li>What your orders would do to the price, and to other people&rsquo;s orders.</li>
        </ul>
        <p>So a profit on paper says that your program works, not that your strategy does.</p>
      </Chapter>
    </>
  );
}
