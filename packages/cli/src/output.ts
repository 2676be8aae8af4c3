/** A row of a table: text by column. */
export type Row = Readonly<Record<string, string | number | null | undefined>>;

export interface OutputStreams {
  stdout: { write(text: string): unknown; isTTY?: boolean | undefined };
  stderr: { write(text: string): unknown };
}

/** Writes results: JSON if it was asked for or if the output is piped, tables otherwise. */
export class Output {
  readonly isJson: boolean;
  private readonly hasColor: boolean;

  constructor(
    private readonly streams: OutputStreams,
    { json, noColor }: { json: boolean; noColor: boolean },
  ) {
    const isTerminal = streams.stdout.isTTY === true;
    this.isJson = json || !isTerminal;
    this.hasColor = isTerminal && !noColor;
  }

  /** Writes a result as JSON, or as what `toText` makes of it. */
  result(data: unknown, toText: () => string): void {
    this.write(this.isJson ? JSON.stringify(data) : toText());
  }

  /** Writes a result as JSON, or as a table of its rows. */
  table(data: unknown, rows: readonly Row[], ifEmpty: string): void {
    this.result(data, () => (rows.length === 0 ? ifEmpty : this.renderTable(rows)));
  }

  /** Writes one object as JSON, or as a list of names and values. */
  facts(data: unknown, facts: Row): void {
    this.result(data, () => {
      const entries = Object.entries(facts).filter(([, value]) => value !== undefined);
      const width = Math.max(...entries.map(([name]) => name.length));
      return entries
        .map(([name, value]) => `${this.bold(name.padEnd(width))}  ${toText(value)}`)
        .join("\n");
    });
  }

  /** Writes text to standard output as it is. */
  write(text: string): void {
    this.streams.stdout.write(`${text}\n`);
  }

  /** Writes a note for people to standard error, so that it is never part of a result. */
  note(text: string): void {
    this.streams.stderr.write(`${printable(text)}\n`);
  }

  private renderTable(rows: readonly Row[]): string {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const last = columns.at(-1);
    // The last column has room: a hint that is cut there doesn't help.
    const cells = rows.map((row) =>
      columns.map((column) => (column === last ? toText(row[column]) : cut(toText(row[column])))),
    );
    const widths = columns.map((column, index) =>
      Math.max(column.length, ...cells.map((line) => line[index]?.length ?? 0)),
    );
    const draw = (line: readonly string[]) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd();
    return [this.bold(draw(columns)), ...cells.map(draw)].join("\n");
  }

  private bold(text: string): string {
    return this.hasColor ? `\u001B[1m${text}\u001B[22m` : text;
  }
}

const MAX_CELL = 60;

const toText = (value: string | number | null | undefined) => printable(String(value ?? "–"));

const cut = (text: string) => (text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text);

/** Titles of markets are other people's text: control characters could change the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, "�");
}
