/** Replaces a figure that "hide values" masks. */
export const HIDDEN = "••••";

const NUMBER = String.raw`(?<![\d.,])\d(?:[\d,]*\d)?(?:\.\d+)?`;

/** Words before a number that is the same for everyone, such as a market's minimum. */
const NOT_OF_A_RULE = String.raw`(?<!\b(?:at least|at most|more than|m(?:in|ax)imum (?:market buy|order) is) )`;

/** Money, and numbers of shares: "$5.00", "5 shares", "1.5 of 3 shares", "1.5 are", "buy 50". */
const FIGURE = new RegExp(
  `${NOT_OF_A_RULE}(\\$${NUMBER}` +
    `|(?<=\\b(?:buy|sell|needed|had|has|is for) )${NUMBER}` +
    `|${NUMBER}(?= (?:of [\\d.,]+ )?(?:shares|are)\\b))`,
  "i",
);

/**
 * Splits a sentence into the account's money and shares, and the text between them. Prices and a
 * market's limits stay text.
 */
export function splitFigures(text: string): { part: string; isFigure: boolean }[] {
  return text
    .split(FIGURE)
    .map((part, index) => ({ part, isFigure: index % 2 === 1 }))
    .filter(({ part }) => part !== "");
}

/** Replaces money and shares in a sentence. */
export function maskFigures(text: string): string {
  return splitFigures(text)
    .map(({ part, isFigure }) => (isFigure ? HIDDEN : part))
    .join("");
}
