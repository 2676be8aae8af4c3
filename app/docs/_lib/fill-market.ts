import "server-only";
import { z } from "zod";
import { listOperations, type ReferenceOperation } from "@/app/docs/_lib/reference";
import { SAMPLE_WORD } from "@/lib/api/operations/examples";
import type { ExampleMarket } from "@/lib/markets/find-example-market";

/** The texts of the samples that belong to the invented market, and those of a market that exists. */
type Replacements = ReadonlyMap<string, string>;

/** Returns the operations with a market of this server in their samples. */
export function fillMarket(
  operations: readonly ReferenceOperation[],
  market: ExampleMarket | null,
): readonly ReferenceOperation[] {
  if (!market) return operations;
  const replace = createReplace(listReplacements(market));
  return operations.map((operation) => ({
    ...operation,
    examples: operation.examples.map(({ language, code }) => ({ language, code: replace(code) })),
    exampleResponse: mapTexts(operation.exampleResponse, replace),
  }));
}

function listReplacements(market: ExampleMarket): Replacements {
  const invented = listTexts(readInventedMarket());
  const real = listTexts(market);
  // One key per market: after a change of market, the same key would be a different order.
  const key = market.slug.slice(0, MAX_KEY_PART);
  // The title is also the event's title in the samples; the first of two with one text counts.
  return new Map([
    ...[...invented].toReversed().flatMap(([path, text]): [string, string][] => {
      const own = real.get(path);
      return own === undefined || own === text ? [] : [[text, own]];
    }),
    [`search=${SAMPLE_WORD}`, `search=${encodeURIComponent(findWord(market.title))}`],
    ...["frost", "split", "merge"].map((name): [string, string] => [
      `${name}-0001`,
      `${name === "frost" ? "buy" : name}-${key}`,
    ]),
  ]);
}

const MAX_KEY_PART = 100;

/** The longest word of a title, which a search finds the market by. */
const findWord = (title: string): string =>
  (title.match(/\p{L}+/gu) ?? []).toSorted((a, b) => b.length - a.length)[0] ?? "";

function readInventedMarket(): ExampleMarket {
  const shown = listOperations().find(({ id }) => id === "getMarket")?.exampleResponse;
  return z.object({ data: z.custom<ExampleMarket>() }).parse(shown).data;
}

/** Lists the texts of a value by their paths. Outcomes, states and the like are alike in both markets. */
function listTexts(value: unknown, path = ""): Map<string, string> {
  if (typeof value === "string") return new Map([[path, value]]);
  if (typeof value !== "object" || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [...listTexts(part, `${path}.${name}`)]),
  );
}

/** Replaces whole texts before parts of them: a slug is also a part of addresses. */
function createReplace(replacements: Replacements): (text: string) => string {
  const found = [...replacements.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(found.map(escapePattern).join("|"), "g");
  return (text) => text.replace(pattern, (part) => replacements.get(part) ?? part);
}

const escapePattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, mapTexts(part, map)]),
  );
}
