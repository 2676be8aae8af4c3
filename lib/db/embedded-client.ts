import "server-only";
import {
  messages,
  Mutex,
  PGlite,
  type PGliteOptions,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
} from "@electric-sql/pglite";

/** Statements kept prepared; the one that was used longest ago goes first. */
const MAX_PREPARED = 200;

interface PreparedStatement {
  name: string;
  parameterTypes: readonly number[];
  columns: Results["fields"];
}

/**
 * The embedded database with statements prepared once. PGlite alone crosses into the database six
 * times for a statement, each time it is run; this crosses once, which is about a tenth of the time.
 */
export class EmbeddedClient extends PGlite {
  /** A statement outside of a transaction waits until an open one is over. */
  readonly #turns = new Mutex();
  readonly #prepared = new Map<string, PreparedStatement>();
  #names = 0;

  static async open(options: PGliteOptions): Promise<EmbeddedClient> {
    const client = new EmbeddedClient(options);
    await client.waitReady;
    return client;
  }

  override async query<T>(
    text: string,
    values: readonly unknown[] = [],
    options: QueryOptions = {},
  ): Promise<Results<T>> {
    return this.#turns.runExclusive(async () => {
      const results = await this.#run<T>(text, values, options);
      await this.syncToFs();
      return results;
    });
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#turns.runExclusive(() =>
      super.transaction((tx) => {
        const query: Transaction["query"] = (text, values = [], options = {}) => {
          if (tx.closed) return Promise.reject(new Error("the transaction is over"));
          return this.#run(text, values, options);
        };
        return work(Object.defineProperties(tx, { query: { value: query } }));
      }),
    );
  }

  /** Runs one statement; what else uses the database waits meanwhile. */
  #run<T>(text: string, values: readonly unknown[], options: QueryOptions): Promise<Results<T>> {
    return this.runExclusive(async () => {
      if (this.closed) throw new Error("PGlite is closed");
      const statement = await this.#prepare(text);
      const { name, parameterTypes, columns } = statement;
      try {
        const bound = parameterTypes.map((type, index) => this.#serialize(values[index], type));
        const answer = await this.#send(
          protocol.serialize.bind({ statement: name, values: bound }),
          protocol.serialize.execute(),
        );
        return { rows: this.#rowsOf<T>(answer, columns, options), fields: columns };
      } catch (error) {
        // A statement over tables that changed can be prepared anew, and only so.
        await this.#forget(text, statement);
        throw error;
      }
    });
  }

  async #prepare(text: string): Promise<PreparedStatement> {
    const known = this.#prepared.get(text);
    if (known) this.#prepared.delete(text);
    const statement = known ?? (await this.#describe(text));
    this.#prepared.set(text, statement);
    for (const [oldest, unused] of this.#prepared) {
      if (this.#prepared.size <= MAX_PREPARED) break;
      await this.#forget(oldest, unused);
    }
    return statement;
  }

  async #describe(text: string): Promise<PreparedStatement> {
    this.#names += 1;
    const name = `s${this.#names}`;
    const answer = await this.#send(
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: "S", name }),
    );
    const statement: PreparedStatement = { name, parameterTypes: [], columns: [] };
    new protocol.Parser().parse(answer, (message) => {
      if (message instanceof messages.ParameterDescriptionMessage) {
        statement.parameterTypes = message.dataTypeIDs;
      } else if (message instanceof messages.RowDescriptionMessage) {
        statement.columns = message.fields.map(({ name: column, dataTypeID }) => {
          return { name: column, dataTypeID };
        });
      }
    });
    return statement;
  }

  async #forget(text: string, { name }: PreparedStatement): Promise<void> {
    if (!this.#prepared.delete(text)) return;
    await this.#send(protocol.serialize.close({ type: "S", name }));
  }

  /** Sends messages in one go and returns what is answered. Throws when an error is among it. */
  async #send(...parts: readonly Uint8Array[]): Promise<Buffer> {
    const chunks: Buffer[] = [];
    // What is given is a view of the database's memory, so it is copied at once.
    const onRawData = (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk));
    const request = Buffer.concat([...parts, protocol.serialize.sync()]);
    await this.execProtocolRawStream(request, { syncToFs: false, onRawData });
    const answer = Buffer.concat(chunks);
    for (const { type } of messagesIn(answer)) if (type === TYPE.error) throw errorIn(answer);
    return answer;
  }

  #serialize(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    return this.serializers[type]?.(value) ?? String(value);
  }

  #rowsOf<T>(
    answer: Buffer,
    columns: Results["fields"],
    { parsers = {}, rowMode }: QueryOptions,
  ): T[] {
    const read = columns.map(({ dataTypeID: type }) => parsers[type] ?? this.parsers[type]);
    const rows: T[] = [];
    for (const { type, start } of messagesIn(answer)) {
      if (type !== TYPE.dataRow) continue;
      const values = textsOf(answer, start).map((text, index): unknown => {
        return text === null ? null : (read[index]?.(text) ?? text);
      });
      const named = () => Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]));
      rows.push((rowMode === "array" ? values : named()) as T);
    }
    return rows;
  }
}

/** First bytes of the messages that are told apart here. */
const TYPE = { dataRow: 0x44, error: 0x45 } as const;
const LENGTH_BYTES = 4;

/** The messages of an answer: a byte for the type, a length that counts itself, the content. */
function* messagesIn(answer: Buffer): Generator<{ type: number | undefined; start: number }> {
  for (let at = 0; at < answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    yield { type: answer[at], start: at + 1 + LENGTH_BYTES };
  }
}

/** The columns of a row as the database writes them; a negative length is null. */
function textsOf(answer: Buffer, start: number): (string | null)[] {
  const texts: (string | null)[] = [];
  const count = answer.readInt16BE(start);
  let at = start + 2;
  for (let column = 0; column < count; column += 1) {
    const length = answer.readInt32BE(at);
    at += LENGTH_BYTES;
    texts.push(length < 0 ? null : answer.toString("utf8", at, at + length));
    at += Math.max(0, length);
  }
  return texts;
}

function errorIn(answer: Buffer): Error {
  const errors: Error[] = [];
  new protocol.Parser().parse(answer, (message) => {
    if (message instanceof messages.DatabaseError) errors.push(message);
  });
  return errors[0] ?? new Error("the database answered with an error");
}
