/** Text, a JSON number as it is on the wire, or nothing. */
export type CsvCell = string | number | null;

const LINE_END = "\r\n";
/** What makes a spreadsheet take a text for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** One line of comma-separated values as RFC 4180 has them. Texts cannot become formulas. */
export function csvLine(cells: readonly CsvCell[]): string {
  return cells.map(cellText).join(",") + LINE_END;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  return quote(FORMULA_START.test(cell) ? `'${cell}` : cell);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
