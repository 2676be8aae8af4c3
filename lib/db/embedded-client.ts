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

/** The most prepared statements. The least recently used one is closed first. */
const MAX_PREPARED = 200;

interface PreparedStatement {
  name: string;
  parameterTypes: readonly number[];
  columns: Results["fields"];
}

/**
 * PGlite with prepared statements. PGlite itself calls into WebAssembly six times for each run of a
 * statement; this client calls once, which takes about a tenth of the time.
 */
export class EmbeddedClient extends PGlite {
  /** Makes statements outside of a transaction wait for an open transaction. */
  readonly #transactionLock = new Mutex();
  readonly #prepared = new Map<string, PreparedStatement>();
  #nameCount = 0;

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
    return this.#transactionLock.runExclusive(async () => {
      const results = await this.#run<T>(text, values, options);
      await this.syncToFs();
      return results;
    });
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transactionLock.runExclusive(() =>
      super.transaction((tx) => {
        const query: Transaction["query"] = (text, values = [], options = {}) => {
          if (tx.closed) return Promise.reject(new Error("the transaction has ended"));
          return this.#run(text, values, options);
        };
        return work(Object.defineProperties(tx, { query: { value: query } }));
      }),
    );
  }

  /** Runs one statement with exclusive use of the database. */
  #run<T>(text: string, values: readonly unknown[], options: QueryOptions): Promise<Results<T>> {
    return this.runExclusive(async () => {
      if (this.closed) throw new Error("PGlite is closed");
      const statement = await this.#prepare(text);
      const { name, parameterTypes, columns } = statement;
      try {
        const bound = parameterTypes.map((type, index) => this.#serialize(values[index], type));
        const response = await this.#send(
          protocol.serialize.bind({ statement: name, values: bound }),
          protocol.serialize.execute(),
        );
        return { rows: this.#decodeRows<T>(response, columns, options), fields: columns };
      } catch (error) {
        // The tables may have changed since the statement was prepared. The next run prepares it again.
        await this.#close(text, statement);
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
      await this.#close(oldest, unused);
    }
    return statement;
  }

  async #describe(text: string): Promise<PreparedStatement> {
    this.#nameCount += 1;
    const name = `s${this.#nameCount}`;
    const response = await this.#send(
      protocol.serialize.parse({ name, text }),
      protocol.serialize.describe({ type: "S", name }),
    );
    const statement: PreparedStatement = { name, parameterTypes: [], columns: [] };
    new protocol.Parser().parse(response, (message) => {
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

  async #close(text: string, { name }: PreparedStatement): Promise<void> {
    if (!this.#prepared.delete(text)) return;
    await this.#send(protocol.serialize.close({ type: "S", name }));
  }

  /** Sends messages in one call and returns the response. Throws if it contains an error. */
  async #send(...parts: readonly Uint8Array[]): Promise<Buffer> {
    const chunks: Buffer[] = [];
    // The chunk is a view of the database's memory, so it must be copied immediately.
    const onRawData = (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk));
    const request = Buffer.concat([...parts, protocol.serialize.sync()]);
    await this.execProtocolRawStream(request, { syncToFs: false, onRawData });
    const response = Buffer.concat(chunks);
    for (const { type } of splitMessages(response)) {
      if (type === TYPE.error) throw parseError(response);
    }
    return response;
  }

  #serialize(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null;
    return this.serializers[type]?.(value) ?? String(value);
  }

  #decodeRows<T>(
    response: Buffer,
    columns: Results["fields"],
    { parsers = {}, rowMode }: QueryOptions,
  ): T[] {
    const read = columns.map(({ dataTypeID: type }) => parsers[type] ?? this.parsers[type]);
    const rows: T[] = [];
    for (const { type, start } of splitMessages(response)) {
      if (type !== TYPE.dataRow) continue;
      const values = readTexts(response, start).map((text, index): unknown => {
        return text === null ? null : (read[index]?.(text) ?? text);
      });
      const named = () => Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]));
      rows.push((rowMode === "array" ? values : named()) as T);
    }
    return rows;
  }
}

/** First bytes of the message types that matter here. */
const TYPE = { dataRow: 0x44, error: 0x45 } as const;
const LENGTH_BYTES = 4;

/** Splits a response into messages: a byte for the type, a length that includes itself, the content. */
function* splitMessages(response: Buffer): Generator<{ type: number | undefined; start: number }> {
  for (let at = 0; at < response.length; at += 1 + response.readInt32BE(at + 1)) {
    yield { type: response[at], start: at + 1 + LENGTH_BYTES };
  }
}

/** Reads the columns of a row as text. A negative length is null. */
function readTexts(response: Buffer, start: number): (string | null)[] {
  const texts: (string | null)[] = [];
  const count = response.readInt16BE(start);
  let at = start + 2;
  for (let column = 0; column < count; column += 1) {
    const length = response.readInt32BE(at);
    at += LENGTH_BYTES;
    texts.push(length < 0 ? null : response.toString("utf8", at, at + length));
    at += Math.max(0, length);
  }
  return texts;
}

function parseError(response: Buffer): Error {
  const errors: Error[] = [];
  new protocol.Parser().parse(response, (message) => {
    if (message instanceof messages.DatabaseError) errors.push(message);
  });
  return errors[0] ?? new Error("the database returned an error");
}
