import { beforeAll, describe, expect, it } from "vitest";
import { Acknowledgement } from "@/lib/schemas/orders";
import { readData, place } from "@/tests/support/api/client";
import { loadMarkets, orderFor, type TestMarkets, useExchange } from "@/tests/support/api/exchange";
import { type RawRequest, sendRaw, toAnswer } from "@/tests/support/api/routes";
import { expectRefusal } from "@/tests/support/api/state";
import { makeUser } from "@/tests/support/users";

useExchange();

const LIMIT = 16 * 1024;
const PATHS = ["/v1/orders", "/v1/orders/preview"] as const;

let key: string;
let markets: TestMarkets;
let json: string;

beforeAll(async () => {
  ({ apiKey: key } = await makeUser());
  markets = await loadMarkets(key);
  json = JSON.stringify(orderFor(markets.free));
});

const send = async (path: string, body: RawRequest["body"], headers: Record<string, string> = {}) =>
  toAnswer(
    await sendRaw(path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  );
const bytes = (...values: (string | number[])[]) =>
  new Uint8Array(
    values.flatMap((value) => (typeof value === "string" ? [...Buffer.from(value)] : value)),
  );
/** The order padded with spaces to exactly `size` bytes. */
const padded = (size: number) => json.padEnd(size, " ");

/** A chunked body without a declared length. Counts the bytes that were read. */
function streamed(text: string, piece = 1_024) {
  const asked = { bytes: 0, isCanceled: false };
  const data = Buffer.from(text);
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = data.subarray(asked.bytes, asked.bytes + piece);
        if (chunk.length === 0) return controller.close();
        asked.bytes += chunk.length;
        controller.enqueue(new Uint8Array(chunk));
      },
      cancel() {
        asked.isCanceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, asked };
}

describe("200", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "application/json; charset=utf8",
    "application/json;",
    'application/json; charset="utf-8"',
    "APPLICATION/JSON",
    " application/json ",
  ])("content-type %j is JSON", async (type) => {
    readData(Acknowledgement, await send("/v1/orders", json, { "content-type": type }));
  });

  it("a body without a content-type is parsed as JSON", async () => {
    const answer = await toAnswer(
      await sendRaw("/v1/orders", {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: bytes(json),
      }),
    );
    readData(Acknowledgement, answer);
  });

  it("content-encoding identity changes nothing", async () => {
    readData(Acknowledgement, await send("/v1/orders", json, { "content-encoding": "identity" }));
  });

  it("a body of exactly 16 KiB is accepted, declared or streamed", async () => {
    readData(Acknowledgement, await send("/v1/orders", padded(LIMIT)));
    const declared = { "content-length": String(LIMIT) };
    readData(Acknowledgement, await send("/v1/orders", padded(LIMIT), declared));
    readData(Acknowledgement, await send("/v1/orders", streamed(padded(LIMIT)).stream));
  });

  it("a body that arrives byte by byte, split inside characters, is accepted", async () => {
    const idempotencyKey = "schlüssel-😀";
    const body = JSON.stringify(orderFor(markets.free, { idempotencyKey }));
    const ack = readData(Acknowledgement, await send("/v1/orders", streamed(body, 1).stream));
    expect(ack.idempotencyKey).toBe(idempotencyKey);
  });

  it("a byte order mark and white space around the object are ignored", async () => {
    readData(Acknowledgement, await send("/v1/orders", bytes([0xef, 0xbb, 0xbf], json)));
    readData(Acknowledgement, await send("/v1/orders", ` \t\r\n${json}\n`));
  });

  it("text with U+FFFD itself is valid", async () => {
    const ack = await place(key, orderFor(markets.free, { idempotencyKey: "\ufffd" }));
    expect(ack.idempotencyKey).toBe("\ufffd");
  });
});

describe.each(PATHS)("400 of POST %s", (path) => {
  it.each([
    "text/plain",
    "text/plain;charset=UTF-8",
    "text/json",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-16",
    "application/json, text/plain",
    "application/json; q=1",
    "json",
  ])("content-type %s is rejected", async (type) => {
    await expectRefusal({ code: "UNSUPPORTED_MEDIA_TYPE", message: "application/json" }, () =>
      send(path, json, { "content-type": type }),
    );
  });

  it.each(["gzip", "GZIP", "br", "deflate", "x-unknown", "identity, gzip"])(
    "content-encoding %s is rejected",
    async (encoding) => {
      await expectRefusal(
        { code: "UNSUPPORTED_MEDIA_TYPE", message: "Compressed request bodies" },
        () => send(path, json, { "content-encoding": encoding }),
      );
    },
  );

  it.each<[string, string]>([
    ["nothing", ""],
    ["spaces", "   "],
    ["half an object", '{"tokenId":'],
    ["single quotes", "{'tokenId':'1'}"],
    ["a trailing comma", '{"tokenId":"1",}'],
    ["a comment", '{"tokenId":"1"/**/}'],
    ["NaN", '{"amount":NaN}'],
    ["Infinity", '{"amount":Infinity}'],
    ["a hexadecimal number", '{"amount":0x10}'],
    ["a number with a leading zero", '{"amount":05}'],
    ["a number with a plus", '{"amount":+5}'],
    ["a raw NUL inside a string", '{"tokenId":"\u0000"}'],
    ["two objects", "{}{}"],
    ["undefined", "undefined"],
    ["XML", "<order/>"],
    ["15,000 opening brackets", "[".repeat(15_000)],
  ])("a body that is %s is not JSON", async (_name, body) => {
    await expectRefusal({ code: "INVALID_JSON" }, () => send(path, body));
  });

  it("no body at all is not JSON", async () => {
    await expectRefusal({ code: "INVALID_JSON" }, () => send(path, undefined));
  });

  it.each<[string, number[]]>([
    ["a lone continuation byte", [0x80]],
    ["a byte that UTF-8 never has", [0xff]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["half a character", [0xe2, 0x82]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["a code point beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
  ])("a body with %s is not UTF-8", async (_name, bad) => {
    const body = bytes(`{"idempotencyKey":"`, bad, `",${json.slice(1)}`);
    await expectRefusal({ code: "INVALID_JSON", message: "UTF-8" }, () => send(path, body));
  });

  it("UTF-16 is not UTF-8", async () => {
    const body = new Uint8Array(Buffer.from(`\ufeff${json}`, "utf16le"));
    await expectRefusal({ code: "INVALID_JSON" }, () => send(path, body));
  });

  it.each<[string, string]>([
    ["null", "null"],
    ["a number", "5"],
    ["text", '"order"'],
    ["a boolean", "true"],
    ["an empty list", "[]"],
    ["a list of an order", "LIST"],
    ["nested lists", `${"[".repeat(8_000)}${"]".repeat(8_000)}`],
  ])("JSON that is %s and no object is rejected", async (_name, text) => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: "object" }, () =>
      send(path, text === "LIST" ? `[${json}]` : text),
    );
  });

  it("an empty object is rejected for its missing fields", async () => {
    await expectRefusal({ code: "VALIDATION_ERROR", message: "tokenId" }, () => send(path, "{}"));
  });

  it.each(["tokenId", "amount", "price", "idempotencyKey"])(
    "a deeply nested value of %s is rejected",
    async (name) => {
      const nested = `${"[".repeat(7_000)}${"]".repeat(7_000)}`;
      const { [name]: _replaced, ...others } = JSON.parse(json) as Record<string, unknown>;
      const body = `${JSON.stringify(others).slice(0, -1)},"${name}":${nested}}`;
      await expectRefusal({ code: "VALIDATION_ERROR", message: `${name}: ` }, () =>
        send(path, body),
      );
    },
  );

  it("a declared length over 16 KiB is rejected before the body is read", async () => {
    const { stream, asked } = streamed(padded(LIMIT + 1));
    const declared = { "content-length": String(LIMIT + 1) };
    await expectRefusal({ code: "PAYLOAD_TOO_LARGE", message: "16384" }, () =>
      send(path, stream, declared),
    );
    expect(asked.bytes).toBe(0);
  });

  it("an undeclared body is counted while it arrives and cut off at 16 KiB", async () => {
    const { stream, asked } = streamed(padded(10 * LIMIT));
    await expectRefusal({ code: "PAYLOAD_TOO_LARGE", message: "16384" }, () => send(path, stream));
    expect(asked.bytes).toBeLessThanOrEqual(LIMIT + 2 * 1_024);
    expect(asked.isCanceled).toBe(true);
  });

  it("a body that is longer than declared is cut off at 16 KiB", async () => {
    const declared = { "content-length": "10" };
    await expectRefusal({ code: "PAYLOAD_TOO_LARGE" }, () =>
      send(path, streamed(padded(LIMIT + 1)).stream, declared),
    );
  });

  it("bytes are counted, not characters", async () => {
    const body = JSON.stringify({ ...(JSON.parse(json) as object), x: "😀".repeat(4_200) });
    expect(body.length).toBeLessThan(LIMIT);
    await expectRefusal({ code: "PAYLOAD_TOO_LARGE" }, () => send(path, body));
  });
});

describe("401", () => {
  it("an oversize body without a key is rejected for the missing key", async () => {
    const { stream, asked } = streamed(padded(2 * LIMIT));
    await expectRefusal({ code: "MISSING_API_KEY" }, () =>
      send("/v1/orders", stream, { authorization: "", "content-length": String(2 * LIMIT) }),
    );
    expect(asked.bytes).toBe(0);
  });
});
