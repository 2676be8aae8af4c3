import { createHash } from "node:crypto";

interface Line {
  at: number;
  /** Whose story it belongs to; null concerns all. */
  key: string | null;
  text: string;
}

/** What happened, told so that a violation can be understood; and how much of it there was. */
export class Trace {
  operations = 0;
  private readonly lines: Line[] = [];
  private readonly startedAt: number;

  constructor(private readonly clock: () => number) {
    this.startedAt = clock();
  }

  /** Something that the simulation does: a request, an answer's fault, a crash, a tick, a fill. */
  operation(key: string | null, text: string): void {
    this.operations += 1;
    this.tell(key, text);
  }

  fault(key: string | null, text: string): void {
    this.operation(key, `FAULT ${text}`);
  }

  tell(key: string | null, text: string): void {
    this.lines.push({ at: this.clock() - this.startedAt, key, text });
  }

  /** What concerns one key: its own lines, and the crashes while it was there. */
  of(key: string): string[] {
    const first = this.lines.findIndex((line) => line.key === key);
    const last = this.lines.findLastIndex((line) => line.key === key);
    return this.lines
      .slice(Math.max(0, first), last + 1)
      .filter((line) => line.key === key || (line.key === null && line.text.startsWith("CRASH")))
      .map(({ at, text }) => `${(at / 1_000).toFixed(3)} s  ${text}`);
  }

  /** The whole history in one number, to compare two of them. Ids are new each time. */
  get digest(): string {
    const hash = createHash("sha256");
    for (const { at, key, text } of this.lines) hash.update(`${at} ${key} ${plain(text)}\n`);
    return hash.digest("hex").slice(0, 16);
  }
}

const plain = (text: string) => text.replaceAll(/0x[0-9a-f]+|[a-z]{3}_\w+/g, "");
