/** A text, a number as in the API's JSON, or an empty cell. */
export type CsvCell = string | number | null;

const LINE_END = "\r\n";
/** Spreadsheets treat a text that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** Formats a line of comma-separated values (RFC 4180). Prefixes texts that look like formulas. */
export function formatCsvLine(cells: readonly CsvCell[]): string {
  return cells.map(formatCell).join(",") + LINE_END;
}

function formatCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  return quote(FORMULA_START.test(cell) ? `'${cell}` : cell);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
