/**
 * Text search: words match in any order, without accents, as beginnings or parts of words, in singular
 * or plural, and with one typo.
 */

/** How well a word matches; lower is better. */
const EXACT = 0;
const OTHER_NUMBER = 1;
const BEGINNING = 2;
const INSIDE = 3;
const MISTYPED = 4;

/** Shorter words are part of too many others, or one letter away from them. */
const INSIDE_FROM = 3;
const MISTYPED_FROM = 4;
/** From this length on, a word that is still being typed can contain a typo. */
const MISTYPED_BEGINNING_FROM = 5;

/** Limits the work: each word of a search is compared with each word of every text. */
export const MAX_SEARCH_LENGTH = 100;
export const MAX_SEARCH_WORDS = 20;

/** The words of each text of an item, the most important text first. */
export type SearchTexts = readonly (readonly string[])[];

/** Splits a text into lowercase words and numbers without accents. */
export function splitWords(text: string): string[] {
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

/** Shortens a search to its limits. */
export function shortenSearch(text: string): string {
  const trimmed = text.slice(0, MAX_SEARCH_LENGTH + 1).trim();
  const words = splitWords(trimmed.slice(0, MAX_SEARCH_LENGTH));
  const fits = trimmed.length <= MAX_SEARCH_LENGTH && words.length <= MAX_SEARCH_WORDS;
  return fits ? trimmed : words.slice(0, MAX_SEARCH_WORDS).join(" ");
}

export const isTooLongSearch = (text: string) => shortenSearch(text) !== text.trim();

/**
 * Finds the items that match a search, with their rank, in the list's order. An item matches if every
 * word of the search matches; typos are allowed only if nothing matches without them. The rank sums,
 * over the words, how well each matches and then how important the text is.
 */
export function findMatches<T>(
  list: readonly T[],
  search: string,
  getTexts: (item: T) => SearchTexts,
): { item: T; rank: number }[] {
  const words = [...new Set(splitWords(shortenSearch(search)))];
  if (words.length === 0) {
    // An empty search matches everything, one of punctuation matches nothing.
    return search.trim() === "" ? list.map((item) => ({ item, rank: 0 })) : [];
  }
  const findUpTo = (worst: number) =>
    list.flatMap((item) => {
      const rank = computeRank(getTexts(item), words, worst);
      return rank === null ? [] : [{ item, rank }];
    });
  const matches = findUpTo(INSIDE);
  return matches.length > 0 ? matches : findUpTo(MISTYPED);
}

function computeRank(texts: SearchTexts, words: readonly string[], worst: number): number | null {
  let rank = 0;
  for (const word of words) {
    const best = findBestMatch(texts, word, worst);
    if (best === Infinity) return null;
    rank += best;
  }
  return rank;
}

/** Returns the best match of a word in the texts, or Infinity. An exact match in a text ends the scan. */
function findBestMatch(texts: SearchTexts, word: string, worst: number): number {
  let best = Infinity;
  for (const [index, words] of texts.entries()) {
    for (const candidate of words) {
      const quality = compareWords(word, candidate, worst);
      if (quality !== null) best = Math.min(best, quality * texts.length + index);
      if (best === index) return best;
    }
  }
  return best;
}

function compareWords(word: string, candidate: string, worst: number): number | null {
  if (candidate === word) return EXACT;
  if (toSingular(candidate) === toSingular(word)) return OTHER_NUMBER;
  if (candidate.startsWith(word)) return BEGINNING;
  if (word.length >= INSIDE_FROM && candidate.includes(word)) return INSIDE;
  return worst >= MISTYPED && isMistyped(word, candidate) ? MISTYPED : null;
}

/** Approximates the singular, for comparison only: "cities" and "city" are the same. */
function toSingular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:s|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** A different number is never a typo. */
function isMistyped(word: string, candidate: string): boolean {
  if (word.length < MISTYPED_FROM || /\d/.test(word) || /\d/.test(candidate)) return false;
  if (isOneTypoAway(word, candidate)) return true;
  if (word.length < MISTYPED_BEGINNING_FROM || candidate.length <= word.length) return false;
  return [-1, 0, 1].some((longer) => isOneTypoAway(word, candidate.slice(0, word.length + longer)));
}

/** Allows one letter too many, too few or wrong, or two swapped letters. */
function isOneTypoAway(a: string, b: string): boolean {
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
