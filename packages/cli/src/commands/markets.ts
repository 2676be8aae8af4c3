import type { Market } from "@ante/client";
import { type Command, getNumber, getText, requireArgument } from "../command.ts";
import { printable } from "../output.ts";
import { takeFirst } from "../take-first.ts";

const search: Command = {
  name: "markets search",
  summary: "Find markets, with the token ids of their outcomes.",
  usage: "[words…]",
  options: {
    category: { type: "string", help: "Only this category." },
    limit: { type: "string", help: "How many; 10 by default." },
  },
  examples: ["ante markets search rain --limit 5"],
  async run({ args, given, output, connect }) {
    const text = args.join(" ");
    const category = getText(given, "category");
    const list = connect().markets.list({
      status: "open",
      ...(text === "" ? {} : { search: text }),
      ...(category === undefined ? {} : { category }),
    });
    const markets = await takeFirst(list, getNumber(given, "limit") ?? 10);
    output.result({ markets }, () =>
      markets.length === 0 ? "No market was found." : markets.map(describeMarket).join("\n\n"),
    );
  },
};

const book: Command = {
  name: "book",
  summary: "Show the order book of an outcome.",
  usage: "<market id or slug>",
  options: {
    token: { type: "string", short: "t", help: "The outcome; by default the first one." },
  },
  examples: ["ante book will-it-rain-in-april"],
  async run({ args, given, output, connect }) {
    const tokenId = getText(given, "token");
    const result = await connect().markets.book(
      requireArgument(args, "market id or slug"),
      tokenId === undefined ? {} : { tokenId },
    );
    const depth = Math.max(result.bids.length, result.asks.length);
    const rows = Array.from({ length: depth }, (_, index) => ({
      "bid shares": result.bids[index]?.shares ?? "",
      bid: result.bids[index]?.price ?? "",
      ask: result.asks[index]?.price ?? "",
      "ask shares": result.asks[index]?.shares ?? "",
    }));
    output.table(result, rows, "The book is empty.");
  },
};

/** Token ids have 77 digits, so a market is a block of lines instead of a row. */
function describeMarket({ title, slug, outcomes }: Market): string {
  const lines = outcomes.map(
    ({ name, bestBid, bestAsk, tokenId }) =>
      `  ${printable(name)}: bid ${bestBid ?? "–"}, ask ${bestAsk ?? "–"}\n    ${tokenId}`,
  );
  return [printable(title), `  ${slug}`, ...lines].join("\n");
}

export const MARKET_COMMANDS = [search, book];
