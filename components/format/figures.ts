/** Replaces a figure that "hide values" masks. */
export const HIDDEN = "••••";

/** Money, and numbers of shares: "$5.00", "5 shares", "1.5 are", "buy 50". */
const FIGURE =
  /(\$\d(?:[\d,]*\d)?(?:\.\d+)?|(?<=\b(?:buy|sell|needed|had) )\d(?:[\d,]*\d)?(?:\.\d+)?|\b\d(?:[\d,]*\d)?(?:\.\d+)?(?= (?:shares|are)\b))/;

/** Splits a sentence into its money and shares, and the text between them. Prices stay text. */
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
