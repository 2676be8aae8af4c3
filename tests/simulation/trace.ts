import { createHash } from "node:crypto";

interface Line {
  at: number;
  /** The idempotency key that it concerns; null for all. */
  key: string | null;
  text: string;
}

/** The history of a run, to explain violations, and its number of operations. */
export class Trace {
  operations = 0;
  private readonly lines: Line[] = [];
  private readonly startedAt: number;

  constructor(private readonly clock: () => number) {
    this.startedAt = clock();
  }

  /** Records an operation: a request, a fault, a crash, a tick or a fill. */
  operation(key: string | null, text: string): void {
    this.operations += 1;
    this.record(key, text);
  }

  fault(key: string | null, text: string): void {
    this.operation(key, `FAULT ${text}`);
  }

  record(key: string | null, text: string): void {
    this.lines.push({ at: this.clock() - this.startedAt, key, text });
  }

  /** Returns one key's lines, and the crashes between them. */
  readLines(key: string): string[] {
    const first = this.lines.findIndex((line) => line.key === key);
    const last = this.lines.findLastIndex((line) => line.key === key);
    return this.lines
      .slice(Math.max(0, first), last + 1)
      .filter((line) => line.key === key || (line.key === null && line.text.startsWith("CRASH")))
      .map(({ at, text }) => `${(at / 1_000).toFixed(3)} s  ${text}`);
  }

  /** A hash of the history without ids, which differ each time. */
  get digest(): string {
    const hash = createHash("sha256");
    for (const { at, key, text } of this.lines) hash.update(`${at} ${key} ${removeIds(text)}\n`);
    return hash.digest("hex").slice(0, 16);
  }
}

const removeIds = (text: string) => text.replaceAll(/0x[0-9a-f]+|[a-z]{3}_\w+/g, "");
