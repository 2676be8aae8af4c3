import { type AccountEvent } from "@ante/client";
import { describe, expect, it } from "vitest";
import {
  failure,
  scriptService,
  type Scripted,
  success,
} from "@/tests/support/client/scripted-service";

const event = (seq: number) =>
  `id: ${seq}\nevent: fill.created\ndata: {"seq":${seq},"price":0.1}\n\n`;

/** A stream of texts that ends, or breaks off with an error. */
function stream(texts: readonly string[], ends: "ends" | "breaks" = "ends"): Response {
  const encoder = new TextEncoder();
  const left = [...texts];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = left.shift();
      if (next !== undefined) return controller.enqueue(encoder.encode(next));
      if (ends === "ends") controller.close();
      else controller.error(new TypeError("terminated"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Follows until `count` events have come. */
async function collect(script: readonly Scripted[], count: number, after?: number) {
  const { ante, sent } = scriptService(script);
  const seen: AccountEvent[] = [];
  const breaks: string[] = [];
  const options = { after, onDisconnect: ({ message }: Error) => void breaks.push(message) };
  for await (const each of ante.events.follow(options)) {
    seen.push(each);
    if (seen.length === count) break;
  }
  return { seqs: seen.map(({ seq }) => seq), seen, breaks, paths: sent.map(({ path }) => path) };
}

describe("following events", () => {
  it("connects again after the last event, and yields each once", async () => {
    const cutInside = event(43).slice(0, 30);
    const { seqs, paths, breaks } = await collect(
      [
        stream([": head 42\n\n", event(42), cutInside], "breaks"),
        new TypeError("fetch failed"),
        failure(502, "DATABASE_UNAVAILABLE"),
        stream([event(42), event(43), 'event: end\ndata: {"reason":"shutdown"}\n\n']),
        stream([event(44)]),
      ],
      3,
      41,
    );
    expect(seqs).toEqual([42, 43, 44]);
    expect(paths.map((path) => path.replace("/v1/events/stream?after=", ""))).toEqual([
      "41",
      "42",
      "42",
      "42",
      "43",
    ]);
    expect(breaks.length).toBe(4);
  });

  it("reads events that are split anywhere, with CRLF too, and decimals as text", async () => {
    const text = `${event(1)}${event(2)}`.replaceAll("\n", "\r\n");
    const { seen } = await collect([stream([...text])], 2, 0);
    expect(seen).toEqual([
      { seq: 1, price: "0.1" },
      { seq: 2, price: "0.1" },
    ]);
  });

  it("starts with the next event if no number is given, even if the first connection breaks", async () => {
    const head = success({ events: [], lastSeq: 7 });
    const { paths } = await collect([head, stream([]), stream([event(8)])], 1);
    expect(paths).toEqual([
      "/v1/events?limit=1",
      "/v1/events/stream?after=7",
      "/v1/events/stream?after=7",
    ]);
  });

  it.each([
    [400, "INVALID_CURSOR"],
    [401, "API_KEY_REVOKED"],
  ])("throws a %i %s", async (status, code) => {
    await expect(collect([stream([]), failure(status, code)], 1, 5)).rejects.toMatchObject({
      code,
    });
  });

  it("ends when its signal is aborted", async () => {
    const leaving = new AbortController();
    const { ante } = scriptService([
      ({ signal }) => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(event(1)));
            signal.addEventListener("abort", () => controller.error(signal.reason));
          },
        });
        return new Response(body);
      },
    ]);
    const seen: number[] = [];
    for await (const { seq } of ante.events.follow({ after: 0, signal: leaving.signal })) {
      seen.push(seq);
      leaving.abort();
    }
    expect(seen).toEqual([1]);
  });
});
