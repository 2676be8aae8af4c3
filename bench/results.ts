// Rows of the table with their targets, and how they are printed and written.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@/tests/support/product/process";

/** The figures of one candidate in one row. */
export interface Figures {
  /** In milliseconds, unless the row's name has another unit. */
  median: number;
  p99: number | null;
  perSecond: number | null;
  /** Milliseconds of processor time per request. */
  nodeCpu: number | null;
  postgresCpu: number | null;
}

/** One line of the table and of bench-results.json. */
export interface Row {
  name: string;
  candidate: string;
  median: number | null;
  p99: number | null;
  perSecond: number | null;
  nodeCpu: number | null;
  postgresCpu: number | null;
  /** The anchor that the row is compared with; without one, it has no ratio. */
  anchor?: string;
  /** Requests per second relative to the anchor's. */
  ratio: number | null;
  target?: string;
  met?: boolean;
  /** Why figures are missing or did not count. */
  note?: string;
}

const rows: Row[] = [];

export const NO_FIGURES = {
  median: null,
  p99: null,
  perSecond: null,
  nodeCpu: null,
  postgresCpu: null,
  ratio: null,
} as const;

/** Adds a row to the results and prints it immediately as progress. */
export function report(row: Row): void {
  rows.push(row);
  process.stderr.write(`  ${toCells(row).filter(Boolean).join("  ")}\n`);
}

/** Reports why something was not measured. */
export function reportMissing(name: string, candidate: string, note: string): void {
  report({ ...NO_FIGURES, name, candidate, note });
}

const HEADS = [
  "row",
  "candidate",
  "median ms",
  "p99 ms",
  "req/s",
  "CPU Node",
  "CPU Postgres",
  "ratio",
  "anchor",
  "target",
  "met",
];
const NUMERIC = new Set([2, 3, 4, 5, 6, 7]);

/** Prints the table and writes bench-results.json to the project's root. */
export function publish(): void {
  const path = join(ROOT, "bench-results.json");
  writeFileSync(path, `${JSON.stringify(rows.map(roundFigures), null, 2)}\n`);
  const table = [HEADS, ...rows.map(toCells)];
  const widths = HEADS.map((_, column) =>
    Math.max(...table.map((line) => (line[column] ?? "").length)),
  );
  const lines = table.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return NUMERIC.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
  const notes = rows
    .filter(({ note }) => note !== undefined)
    .map(({ name, candidate, note }) => `${name}, ${candidate}: ${note}`);
  if (notes.length > 0) notes.push("");
  const met = rows.filter((row) => row.met === true).length;
  const total = rows.filter((row) => row.met !== undefined).length;
  const closing = `${met} of ${total} targets met. Results: ${path}`;
  process.stdout.write(`${[...lines, "", ...notes, closing].join("\n")}\n`);
}

function toCells(row: Row): string[] {
  return [
    row.name,
    row.candidate,
    formatFigure(row.median),
    formatFigure(row.p99),
    formatFigure(row.perSecond),
    formatFigure(row.nodeCpu),
    formatFigure(row.postgresCpu),
    row.ratio === null ? "" : `${formatFigure(row.ratio)}×`,
    row.anchor ?? "",
    row.target ?? (row.note === undefined ? "" : "see below"),
    row.met === undefined ? "" : row.met ? "yes" : "NO",
  ];
}

/** Formats three significant digits, thousands in full. */
function formatFigure(value: number | null): string {
  if (value === null) return "";
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 4 });
}

function roundFigures(row: Row): Row {
  const short = (value: number | null) => (value === null ? null : Number(value.toPrecision(5)));
  return {
    ...row,
    median: short(row.median),
    p99: short(row.p99),
    perSecond: short(row.perSecond),
    nodeCpu: short(row.nodeCpu),
    postgresCpu: short(row.postgresCpu),
    ratio: short(row.ratio),
  };
}
