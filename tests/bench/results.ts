// Rows of the table, what they are held to, and how they are printed and written.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@/tests/support/product-process";

/** What was measured of one candidate in one row. */
export interface Figures {
  /** Milliseconds; another unit is in the row's name. */
  median: number;
  p99: number | null;
  perSecond: number | null;
  /** Milliseconds of processor time per request, of the service and its database. */
  cpu: number | null;
}

/** One line of the table and of bench-results.json. */
export interface Row {
  name: string;
  candidate: string;
  median: number | null;
  p99: number | null;
  perSecond: number | null;
  cpu: number | null;
  /** Against the row's base; the row that is the base has 1. */
  ratio: number | null;
  target?: string;
  met?: boolean;
  /** Why something is missing or did not count. */
  note?: string;
}

const rows: Row[] = [];

/** Adds a row to the results and prints it at once, so that a long run shows its progress. */
export function report(row: Row): void {
  rows.push(row);
  process.stderr.write(`  ${cells(row).filter(Boolean).join("  ")}\n`);
}

/** Says why something was not measured, in the table and in the file. */
export function leaveOut(name: string, candidate: string, note: string): void {
  const nothing = { median: null, p99: null, perSecond: null, cpu: null, ratio: null };
  report({ name, candidate, ...nothing, note });
}

const HEADS = [
  "row",
  "candidate",
  "median ms",
  "p99 ms",
  "req/s",
  "CPU ms/req",
  "ratio",
  "target",
  "met",
];
const NUMERIC = new Set([2, 3, 4, 5, 6]);

/** The one table, and bench-results.json in the project's root. */
export function publish(): void {
  const path = join(ROOT, "bench-results.json");
  writeFileSync(path, `${JSON.stringify(rows.map(rounded), null, 2)}\n`);
  const table = [HEADS, ...rows.map(cells)];
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
  const held = rows.filter((row) => row.met !== undefined).length;
  const closing = `${met} of ${held} targets met; ${path}`;
  process.stdout.write(`${[...lines, "", ...notes, closing].join("\n")}\n`);
}

function cells(row: Row): string[] {
  return [
    row.name,
    row.candidate,
    figure(row.median),
    figure(row.p99),
    figure(row.perSecond),
    figure(row.cpu),
    row.ratio === null ? "" : `${figure(row.ratio)}×`,
    row.target ?? (row.note === undefined ? "" : "see below"),
    row.met === undefined ? "" : row.met ? "yes" : "NO",
  ];
}

/** Three digits that count, and thousands in full. */
function figure(value: number | null): string {
  if (value === null) return "";
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 4 });
}

function rounded(row: Row): Row {
  const short = (value: number | null) => (value === null ? null : Number(value.toPrecision(5)));
  return {
    ...row,
    median: short(row.median),
    p99: short(row.p99),
    perSecond: short(row.perSecond),
    cpu: short(row.cpu),
    ratio: short(row.ratio),
  };
}
