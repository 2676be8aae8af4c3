/**
 * Finds what a person means by a few words: in any order, without accents, as beginnings of words
 * or inside them, in singular or plural, and with one slip of the finger.
 */

/** How well a word is met; the lower, the better. */
const EXACT = 0;
const OTHER_NUMBER = 1;
const BEGINNING = 2;
const INSIDE = 3;
const MISTYPED = 4;

/** Shorter words are inside too many others, or one letter away from them. */
const INSIDE_FROM = 3;
const MISTYPED_FROM = 4;
/** From here on a word may be mistyped although it is not yet typed to its end. */
const MISTYPED_BEGINNING_FROM = 5;

/** The words of each of a thing's texts, the most telling text first. */
export type SearchTexts = readonly (readonly string[])[];

/** The words of a text as they are compared: small letters and digits, without accents. */
export function searchWords(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      // "world's" is one word and so is "U.S."; "100,000" is one number.
      .replace(/(?<=\p{L})['’](?=\p{L})|(?<=\b\p{L})\.(?=\p{L}\b)|(?<=\d),(?=\d{3})/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/**
 * What a search finds of a list, each with its rank, in the list's order. A thing is found when
 * every word of the search is met; slips are looked for only where nothing is met without them. A
 * rank is the sum over the words of how well each is met, then of how telling the text is.
 */
export function findMatches<T>(
  list: readonly T[],
  search: string,
  textsOf: (one: T) => SearchTexts,
): { one: T; rank: number }[] {
  const wanted = searchWords(search);
  // Nothing but signs names nothing; nothing at all asks for everything.
  if (wanted.length === 0) return search.trim() === "" ? list.map((one) => ({ one, rank: 0 })) : [];
  const found = (worst: number) =>
    list.flatMap((one) => {
      const rank = rankOf(textsOf(one), wanted, worst);
      return rank === null ? [] : [{ one, rank }];
    });
  const met = found(INSIDE);
  return met.length > 0 ? met : found(MISTYPED);
}

function rankOf(texts: SearchTexts, wanted: readonly string[], worst: number): number | null {
  let rank = 0;
  for (const word of wanted) {
    let best = Infinity;
    for (const [index, words] of texts.entries()) {
      for (const candidate of words) {
        const quality = qualityOf(word, candidate, worst);
        if (quality !== null) best = Math.min(best, quality * texts.length + index);
      }
    }
    if (best === Infinity) return null;
    rank += best;
  }
  return rank;
}

function qualityOf(word: string, candidate: string, worst: number): number | null {
  if (candidate === word) return EXACT;
  if (singular(candidate) === singular(word)) return OTHER_NUMBER;
  if (candidate.startsWith(word)) return BEGINNING;
  if (word.length >= INSIDE_FROM && candidate.includes(word)) return INSIDE;
  return worst >= MISTYPED && isMistyped(word, candidate) ? MISTYPED : null;
}

/** Good enough to compare with: "cities" and "city" come to the same. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:s|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Another number is another number, not a slip. */
function isMistyped(word: string, candidate: string): boolean {
  if (word.length < MISTYPED_FROM || /\d/.test(word) || /\d/.test(candidate)) return false;
  if (isOneSlipAway(word, candidate)) return true;
  if (word.length < MISTYPED_BEGINNING_FROM || candidate.length <= word.length) return false;
  return [-1, 0, 1].some((longer) => isOneSlipAway(word, candidate.slice(0, word.length + longer)));
}

/** One letter too many, too few or wrong, or two that changed places. */
function isOneSlipAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const [restOfShort, restOfLong] = [short.slice(at), long.slice(at)];
  if (short.length < long.length) return restOfShort === restOfLong.slice(1);
  return (
    restOfShort.slice(1) === restOfLong.slice(1) ||
    (restOfShort[0] === restOfLong[1] &&
      restOfShort[1] === restOfLong[0] &&
      restOfShort.slice(2) === restOfLong.slice(2))
  );
}
