// The load itself: a closed loop on a fixed number of connections.
import { BROKEN, Connection } from "@/bench/load/connection";
import { type Call, type LoadOptions, type LoadResult, UNIQUE } from "@/bench/load/scenario";

/** Makes this run's unique texts differ from those of other runs. */
const RUN = `${process.pid.toString(36)}${Date.now().toString(36)}`;
/** Stops the load, so that a server that rejects everything doesn't fill the memory. */
const MAX_FAILURES = 5_000;

interface Prepared {
  text: string;
  isUnique: boolean;
}

/** Runs one load to its end. */
export async function generate(options: LoadOptions): Promise<LoadResult> {
  return new Load(options).run();
}

let sent = 0;

class Load {
  readonly #calls: Prepared[];
  readonly #pattern: RegExp | null;
  readonly #latencies: number[] = [];
  readonly #collected: LoadResult["collected"] = [];
  readonly #failures = new Map<number, { count: number; sample: string }>();
  #failed = 0;
  #started = 0;
  #deadline = Infinity;
  readonly #limit: number;

  constructor(readonly options: LoadOptions) {
    this.#calls = options.calls.map(prepareCall);
    this.#pattern = options.collect === undefined ? null : new RegExp(options.collect);
    this.#limit = options.requests ?? Infinity;
  }

  async run(): Promise<LoadResult> {
    const { connections, ports, seconds } = this.options;
    const startedAt = performance.now();
    if (seconds !== undefined) this.#deadline = startedAt + seconds * 1000;
    const open = Array.from({ length: connections }, (_, index) => {
      return new Connection(ports[index % ports.length] ?? 0, this.#pattern !== null);
    });
    await Promise.all(open.map((connection) => this.#drive(connection)));
    const elapsed = performance.now() - startedAt;
    for (const connection of open) connection.close();
    return {
      latencies: Float64Array.from(this.#latencies).toSorted(),
      seconds: elapsed / 1000,
      failures: [...this.#failures].map(([status, failure]) => ({ status, ...failure })),
      collected: this.#collected,
    };
  }

  /** Sends one request after another until the load ends. */
  #drive(connection: Connection): Promise<void> {
    return new Promise((resolve) => {
      const next = () => {
        const isOver = this.#started >= this.#limit || this.#failed >= MAX_FAILURES;
        if (isOver || performance.now() >= this.#deadline) return resolve();
        const index = this.#started % this.#calls.length;
        this.#started += 1;
        const request = renderRequest(this.#calls[index]);
        const sentAt = performance.now();
        connection.send(request, ({ status, body }) => {
          const latency = performance.now() - sentAt;
          if (status === 200) {
            this.#latencies.push(latency);
            this.#collect(index, body);
          } else this.#fail(status, body);
          if (status === BROKEN) setTimeout(next, 50);
          else next();
        });
      };
      next();
    });
  }

  #collect(call: number, body: string): void {
    const value = this.#pattern?.exec(body)?.[1];
    if (value !== undefined) this.#collected.push({ call, value });
  }

  #fail(status: number, sample: string): void {
    this.#failed += 1;
    const known = this.#failures.get(status);
    if (known) known.count += 1;
    else this.#failures.set(status, { count: 1, sample: sample.slice(0, 500) });
  }
}

/** Prepares the text of a request. A unique text has the length in the content-length header. */
function prepareCall({ method, path, headers = {}, body = "" }: Call): Prepared {
  const isUnique = path.includes(UNIQUE) || body.includes(UNIQUE);
  const length = Buffer.byteLength(body.replaceAll(UNIQUE, renderUnique(0)));
  const lines = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", "connection: keep-alive"];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== "") lines.push("content-type: application/json", `content-length: ${length}`);
  return { text: `${lines.join("\r\n")}\r\n\r\n${body}`, isUnique };
}

function renderRequest(call: Prepared | undefined): string {
  if (!call) throw new Error("a load needs calls");
  if (!call.isUnique) return call.text;
  sent += 1;
  return call.text.replaceAll(UNIQUE, renderUnique(sent));
}

const renderUnique = (count: number) => `${RUN}-${String(count).padStart(9, "0")}`;
