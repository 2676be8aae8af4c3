/** What a stream sends: an event, or a comment. */
export interface Received {
  id: number | null;
  event: string | null;
  data: unknown;
  comment: string | null;
}

/** Reads a response of server-sent events, one after the other. */
export class EventStreamReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(readonly response: Response) {
    if (!response.body) throw new Error("a stream has a body");
    this.#reader = response.body.getReader();
  }

  /** Returns the next event or comment; null at the end of the stream. */
  async next(): Promise<Received | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        if (block.startsWith("retry:")) continue;
        return parseBlock(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** Returns the next event, without comments. */
  async nextEvent(): Promise<Received | null> {
    for (;;) {
      const received = await this.next();
      if (received?.comment == null) return received;
    }
  }

  /** Returns the next events, as many as asked for. */
  async take(count: number): Promise<Received[]> {
    const taken: Received[] = [];
    while (taken.length < count) {
      const received = await this.nextEvent();
      if (!received) break;
      taken.push(received);
    }
    return taken;
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }
}

function parseBlock(block: string): Received {
  const received: Received = { id: null, event: null, data: null, comment: null };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    if (name === "") received.comment = value;
    if (name === "id") received.id = Number(value);
    if (name === "event") received.event = value;
    if (name === "data") received.data = JSON.parse(value) as unknown;
  }
  return received;
}
