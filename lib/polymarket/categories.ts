import "server-only";
import type { WireMarket } from "@/lib/polymarket/wire/markets";

/** Ante's categories, with the slugs of the venue's tags that belong to them. */
const TAGS = {
  politics: [
    "politics",
    "us-politics",
    "elections",
    "world-elections",
    "global-elections",
    "us-presidential-election",
    "primaries",
    "geopolitics",
    "world",
    "trump",
    "trump-presidency",
    "congress",
    "senate",
    "courts",
    "foreign-policy",
    "middle-east",
    "ukraine",
    "israel",
    "iran",
    "china",
    "venezuela",
  ],
  sports: [
    "sports",
    "games",
    "soccer",
    "football",
    "nfl",
    "nba",
    "ncaab",
    "cfb",
    "mlb",
    "nhl",
    "epl",
    "ucl",
    "tennis",
    "golf",
    "boxing",
    "ufc",
    "mma",
    "cricket",
    "formula1",
    "f1",
    "olympics",
    "esports",
    "chess",
    "fifa-world-cup",
  ],
  crypto: [
    "crypto",
    "crypto-prices",
    "bitcoin",
    "ethereum",
    "solana",
    "xrp",
    "dogecoin",
    "memecoins",
    "stablecoins",
    "airdrops",
    "defi",
    "nfts",
    "microstrategy",
  ],
  finance: [
    "finance",
    "stocks",
    "equities",
    "business",
    "earnings",
    "ipos",
    "commodities",
    "gold",
    "oil",
    "indicies",
    "indices",
    "forex",
    "big-tech",
    "acquisitions",
  ],
  economics: [
    "economy",
    "economic-policy",
    "economics",
    "macro",
    "fed",
    "fed-rates",
    "inflation",
    "jobs",
    "gdp",
    "tariffs",
    "taxes",
    "trade-war",
    "housing",
  ],
  science: [
    "science",
    "tech",
    "technology",
    "ai",
    "artificial-intelligence",
    "openai",
    "space",
    "spacex",
    "space-exploration",
    "health",
    "pandemics",
    "earthquakes",
    "biotech",
  ],
  weather: [
    "weather",
    "climate",
    "climate-science",
    "climate-weather",
    "temperature",
    "daily-temperature",
    "hurricanes",
    "natural-disasters",
  ],
  culture: [
    "culture",
    "pop-culture",
    "movies",
    "music",
    "tv",
    "awards",
    "oscars",
    "grammys",
    "celebrities",
    "entertainment",
    "mentions",
    "mention-markets",
    "tweets-markets",
    "youtube",
    "video-games",
    "books",
    "art",
  ],
} as const;
export type Category = keyof typeof TAGS;

const BY_TAG = new Map<string, Category>();
for (const [category, slugs] of Object.entries(TAGS)) {
  if (!isCategory(category)) continue;
  BY_TAG.set(category, category);
  for (const slug of slugs) BY_TAG.set(slug, category);
}

/** The category of markets without a known tag. */
const DEFAULT_CATEGORY: Category = "culture";

/** Returns the category of the first known tag, because the venue lists the main tags first. */
export function chooseCategory(
  market: Pick<WireMarket, "tags" | "category" | "feeType" | "gameStartTime">,
): Category {
  const names = [
    ...(market.tags ?? []).map(({ slug }) => slug),
    (market.category ?? "").replaceAll(/[^A-Za-z0-9]+/g, "-"),
    // The fee schedule names the category, such as "crypto_fees_v2".
    (market.feeType ?? "").split("_")[0] ?? "",
    ...((market.gameStartTime ?? null) === null ? [] : ["sports"]),
  ];
  for (const name of names) {
    const category = BY_TAG.get(name.toLowerCase());
    if (category !== undefined) return category;
  }
  return DEFAULT_CATEGORY;
}

function isCategory(name: string): name is Category {
  return name in TAGS;
}
