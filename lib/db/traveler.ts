import "server-only";
import { type Connection, types } from "pg";
import { databaseErrorCode } from "@/lib/db/errors";

type Wire = string | null;
type Read = (text: string) => unknown;

/** A statement with its values as they are sent, and how its rows are read. */
export interface Statement {
  text: string;
  values: Wire[];
  isArray: boolean;
}

export interface Answer {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

interface Column {
  name: string;
  dataTypeID: number;
}

/** What a connection knows of a statement that it has prepared; columns once they were told. */
interface Prepared {
  name: string;
  columns: readonly Column[] | null;
}

/** Statements that are named; a process that ran more kinds than this leaves the rest unnamed. */
const MAX_NAMED = 400;
/** A statement earns its name the second time: what runs once is not worth keeping at the server. */
const seen = new Set<string>();

/** Codes of a prepared statement whose result has another form by now, or that is not there. */
const UNUSABLE = new Set(["0A000", "26000"]);

const NOTHING: Answer = { command: "", rowCount: null, rows: [] };

/** One connection's statements: on their way, prepared, and left for the next one's trip. */
export class Traveler {
  readonly #prepared = new Map<string, Prepared>();
  #left: Statement[] = [];
  #names = 0;

  constructor(readonly send: (trip: Trip) => unknown) {}

  /** Runs a statement, with those that were left before it. */
  async run(statement: Statement): Promise<Answer> {
    const { text } = statement;
    const isUnbegun = this.#left.some((left) => isBegin(left.text));
    if (isBegin(text)) {
      this.leave(statement);
      return NOTHING;
    }
    if (text === "rollback") this.#left = [];
    if (isUnbegun && (text === "rollback" || (text === "commit" && this.#left.length === 1))) {
      this.#left = [];
      return NOTHING;
    }
    const answers = await this.runAll([statement]);
    return answers[answers.length - 1] ?? NOTHING;
  }

  /** Runs statements in one trip; the answers are theirs, not those of what was left before. */
  async runAll(statements: readonly Statement[]): Promise<Answer[]> {
    const all = [...this.#left, ...statements];
    const before = this.#left.length;
    this.#left = [];
    const legs = all.map((statement) => this.#legOf(statement));
    try {
      const answers = await new Promise<Answer[]>((resolve, reject) => {
        this.send(new Trip(legs, resolve, reject));
      });
      legs.forEach((leg) => this.#remember(leg));
      return answers.slice(before);
    } catch (error) {
      // Nobody knows which of them the server had got to, nor which of its plans it has given up:
      // those are prepared anew, by another name.
      const isForgotten = UNUSABLE.has(databaseErrorCode(error) ?? "");
      for (const { isNew, statement } of legs) {
        if (isNew || isForgotten) this.#prepared.delete(statement.text);
      }
      throw error;
    }
  }

  leave(statement: Statement): void {
    this.#left.push(statement);
  }

  /** Sends what was left ahead of something that cannot travel with it. */
  depart(): void {
    // What fails here fails the transaction, and so whatever follows in it.
    if (this.#left.length > 0) this.runAll([]).catch(() => {});
  }

  #legOf(statement: Statement): Leg {
    const { text } = statement;
    const prepared = this.#prepared.get(text);
    if (prepared) return new Leg(statement, prepared, false);
    if (!earnsName(text)) return new Leg(statement, { name: "", columns: null }, true);
    this.#names += 1;
    const named = { name: `ante_${this.#names}`, columns: null };
    this.#prepared.set(text, named);
    return new Leg(statement, named, true);
  }

  #remember({ statement, prepared, columns }: Leg): void {
    if (prepared.name !== "") this.#prepared.set(statement.text, { ...prepared, columns });
  }
}

/** One statement of a trip and its answer. */
class Leg {
  readonly rows: unknown[] = [];
  columns: readonly Column[];
  tag = "";
  #readers: { name: string; read: Read }[] = [];

  constructor(
    readonly statement: Statement,
    readonly prepared: Prepared,
    readonly isNew: boolean,
  ) {
    this.columns = [];
    if (prepared.columns) this.describe(prepared.columns);
  }

  describe(columns: readonly Column[]): void {
    this.columns = columns;
    this.#readers = columns.map(({ name, dataTypeID }) => {
      return { name, read: readerOf(dataTypeID) };
    });
  }

  add(texts: readonly (string | null)[]): void {
    const values = this.#readers.map(({ read }, index) => {
      const text = texts[index] ?? null;
      return text === null ? null : read(text);
    });
    const named = () =>
      Object.fromEntries(this.#readers.map(({ name }, index) => [name, values[index]]));
    this.rows.push(this.statement.isArray ? values : named());
  }

  submit(connection: Connection): void {
    const { text, values } = this.statement;
    const { name, columns } = this.prepared;
    if (this.isNew) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values }, true);
    if (!columns) connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "" }, true);
  }

  get answer(): Answer {
    const [command = "", ...counts] = this.tag.split(" ");
    const count = counts.at(-1);
    return { command, rowCount: count === undefined ? null : Number(count), rows: this.rows };
  }
}

/** Statements that are sent at once and answered at once, as the client of the driver calls it. */
class Trip {
  #at = 0;
  #failed: Error | null = null;
  callback = (): void => {};

  constructor(
    readonly legs: readonly Leg[],
    readonly resolve: (answers: Answer[]) => void,
    readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const leg of this.legs) leg.submit(connection);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.legs[this.#at]?.describe(fields);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.legs[this.#at]?.add(fields);
    } catch (error) {
      this.#failed = error instanceof Error ? error : new Error("a value could not be read");
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const leg = this.legs[this.#at];
    if (leg) leg.tag = text;
    this.#at += 1;
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failed) return this.reject(this.#failed);
    const answers = this.legs.map((leg) => leg.answer);
    const isUndone = this.legs.some(({ statement, tag }) => {
      return statement.text === "commit" && tag === "ROLLBACK";
    });
    if (isUndone) this.reject(new Error("the transaction had failed and was not committed"));
    else this.resolve(answers);
  }
}

const isBegin = (text: string) => text.startsWith("begin");
const isEnd = (text: string) => text === "commit" || text === "rollback";

/**
 * The statement that a query asks for; null for what the driver has to send itself: what is no plain
 * statement, what has no values and so may be several, and values that only the driver can write.
 */
export function statementOf(config: unknown, values: unknown): Statement | null {
  if (typeof config !== "object" || config === null || "submit" in config) return null;
  if (!("text" in config) || typeof config.text !== "string") return null;
  const given: unknown = values ?? ("values" in config ? config.values : []);
  if (!Array.isArray(given)) return null;
  const { text } = config;
  if (given.length === 0 && !isBegin(text) && !isEnd(text)) return null;
  const wired = wire(given);
  return (
    wired && { text, values: wired, isArray: "rowMode" in config && config.rowMode === "array" }
  );
}

/** Values as they are sent; null when one is of a kind that only the driver knows to write. */
export function wire(values: readonly unknown[]): Wire[] | null {
  const wired: Wire[] = [];
  for (const value of values) {
    if (value === null || value === undefined) wired.push(null);
    else if (typeof value === "string") wired.push(value);
    else if (value instanceof Date) wired.push(value.toISOString());
    else if (typeof value !== "object") wired.push(String(value));
    else return null;
  }
  return wired;
}

/** Instants stay text, as the library that builds the statements has them too. */
const AS_TEXT = new Set<number>([
  types.builtins.TIMESTAMPTZ,
  types.builtins.TIMESTAMP,
  types.builtins.DATE,
  types.builtins.INTERVAL,
]);
const asText: Read = (text) => text;

function readerOf(type: number): Read {
  return AS_TEXT.has(type) ? asText : types.getTypeParser(type, "text");
}

function earnsName(text: string): boolean {
  if (isBegin(text) || isEnd(text) || seen.has(text)) return true;
  if (seen.size < MAX_NAMED) seen.add(text);
  return false;
}
