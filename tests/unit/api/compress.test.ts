import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { acceptsGzip, compress } from "@/lib/api/http/compress";
import { Reply, toOutgoing } from "@/lib/api/http/respond";

const createReply = (length: number) => new Reply({ status: 200, body: "é".repeat(length) });

async function send(reply: Reply, acceptEncoding: string | null) {
  return compress(toOutgoing(reply, "req_1"), reply, acceptEncoding);
}

describe("compress", () => {
  it.each([1_024, 100_000])("a body of %i characters is sent compressed", async (length) => {
    const reply = createReply(length);
    const { headers, body } = await send(reply, "gzip");
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(gunzipSync(body as Uint8Array).toString()).toBe(reply.answer.body);
  });

  it("a reply that is sent again is compressed once, and stays plain for others", async () => {
    const reply = createReply(2_000);
    const [first, plain, second] = [
      await send(reply, "gzip"),
      await send(reply, null),
      await send(reply, "br, gzip"),
    ];
    expect(second.body).toBe(first.body);
    expect(plain.body).toBe(reply.answer.body);
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect(plain.headers["vary"]).toBe("accept-encoding");
  });

  it("a short body is never compressed", async () => {
    const { headers, body } = await send(createReply(1_023), "gzip");
    expect(body).toBe("é".repeat(1_023));
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).not.toHaveProperty("vary");
  });
});

describe("acceptsGzip", () => {
  it.each([
    "gzip",
    "GZIP",
    "br, gzip",
    "gzip;q=0.5",
    "*",
    "x-gzip",
    "deflate, gzip;q=1.0, *;q=0.5",
    "identity;q=0.5, gzip;q=0.5",
    "gzip ; q=0.001",
  ])("%s", (value) => expect(acceptsGzip(value)).toBe(true));

  it.each([
    "",
    "identity",
    "br",
    "gzip;q=0",
    "gzip;q=0.000",
    "*;q=0",
    "gzip;q=0, *",
    "identity, gzip;q=0.5",
    "gzip;q=2",
    "gzip;q=x",
    "gzipped",
  ])("not %j", (value) => expect(acceptsGzip(value)).toBe(false));
});
