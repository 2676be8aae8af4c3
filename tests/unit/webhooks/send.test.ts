import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { parseRetryAfter, type Resolve, sendOutbound } from "@/lib/webhooks/send";
import { FORBIDDEN_ADDRESSES } from "@/tests/support/webhooks/forbidden-hosts";

const servers: { close: () => unknown; closeAllConnections?: () => void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

interface Receiver {
  port: number;
  requests: IncomingMessage[];
  connections: () => number;
}

async function startReceiver(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Receiver> {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  server.on("connection", () => (connections += 1));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, requests, connections: () => connections };
}

const to = (url: string, allowsPrivate: boolean) => ({
  url,
  headers: { "content-type": "application/json", "webhook-id": "msg_1" },
  body: '{"type":"endpoint.test"}',
  allowsPrivate,
});
const resolveTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

describe("sending a webhook", () => {
  it("posts the body with its headers and returns the answer", async () => {
    let body = "";
    const receiver = await startReceiver((request, response) => {
      request.on("data", (bytes: Buffer) => (body += bytes.toString()));
      request.on("end", () => response.writeHead(202).end("thanks"));
    });
    const result = await sendOutbound(to(`http://127.0.0.1:${receiver.port}/a?b=1`, true));
    expect(result).toMatchObject({ outcome: "answered", status: 202, body: "thanks" });
    const [request] = receiver.requests;
    expect([request?.method, request?.url]).toEqual(["POST", "/a?b=1"]);
    expect(request?.headers).toMatchObject({
      "webhook-id": "msg_1",
      host: `127.0.0.1:${receiver.port}`,
    });
    expect(body).toBe('{"type":"endpoint.test"}');
  });

  it.each(FORBIDDEN_ADDRESSES)(
    "connects to nothing if the name of a public host resolves to %s",
    async (address) => {
      const receiver = await startReceiver((_request, response) => response.end());
      const result = await sendOutbound(to(`https://hooks.my-shop.com:${receiver.port}/`, false), {
        resolve: resolveTo(address),
      });
      expect(result).toMatchObject({ outcome: "failed" });
      expect(result.outcome === "failed" && result.reason).toContain("nothing was sent");
      expect(receiver.connections()).toBe(0);
    },
  );

  it("connects to nothing if one of several addresses is private", async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    const result = await sendOutbound(to(`https://hooks.my-shop.com:${receiver.port}/`, false), {
      resolve: resolveTo("8.8.8.8", "127.0.0.1"),
    });
    expect(result).toMatchObject({ outcome: "failed" });
    expect(receiver.connections()).toBe(0);
  });

  it("connects to nothing for an address in the URL that is private", async () => {
    const receiver = await startReceiver((_request, response) => response.end());
    for (const host of ["127.0.0.1", "[::ffff:7f00:1]"]) {
      const result = await sendOutbound(to(`https://${host}:${receiver.port}/`, false));
      expect(result).toMatchObject({ outcome: "failed" });
    }
    const plain = await sendOutbound(to(`http://127.0.0.1:${receiver.port}/`, false));
    expect(plain).toMatchObject({ outcome: "failed" });
    expect(receiver.connections()).toBe(0);
  });

  it("asks for the addresses once and connects to one that was checked", async () => {
    const receiver = await startReceiver((_request, response) => response.end("here"));
    let asked = 0;
    // A name server that rebinds: its second answer is an address where nobody listens.
    const resolve: Resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const result = await sendOutbound(to(`http://hooks.my-shop.com:${receiver.port}/`, true), {
      resolve,
    });
    expect(result).toMatchObject({ outcome: "answered", body: "here" });
    expect(asked).toBe(1);
  });

  it("names the host, not the address, to a TLS server", async () => {
    const names: unknown[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error("no certificate"));
      },
    }).on("tlsClientError", (_error: Error, socket: TLSSocket) => socket.destroy());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const result = await sendOutbound(to(`https://hooks.my-shop.com:${port}/`, true), {
      resolve: resolveTo("127.0.0.1"),
    });
    expect(result.outcome).toBe("failed");
    expect(names).toEqual(["hooks.my-shop.com"]);
  });

  it("follows no redirect", async () => {
    const target = await startReceiver((_request, response) => response.end());
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    const result = await sendOutbound(to(`http://127.0.0.1:${receiver.port}/`, true));
    expect(result).toMatchObject({ outcome: "answered", status: 307 });
    expect(target.connections()).toBe(0);
  });

  it.each([
    ["answers nothing", () => undefined],
    [
      "does not finish its answer",
      (_request: IncomingMessage, response: ServerResponse) => void response.write("x"),
    ],
  ])("fails in time if the receiver %s", async (_name, handle) => {
    const receiver = await startReceiver(handle);
    const result = await sendOutbound(to(`http://127.0.0.1:${receiver.port}/`, true), {
      timeoutMs: 300,
    });
    expect(result).toMatchObject({ outcome: "failed" });
    expect(result.outcome === "failed" && result.reason).toContain("did not answer");
  });

  it("fails in time if the name server does not answer", async () => {
    const resolve: Resolve = () => new Promise(() => undefined);
    const result = await sendOutbound(to("https://hooks.my-shop.com/", false), {
      resolve,
      timeoutMs: 100,
    });
    expect(result).toMatchObject({ outcome: "failed" });
  });

  it("reads 4 kB of an endless answer and leaves", async () => {
    let isLeft = false;
    const receiver = await startReceiver((_request, response) => {
      const write = () => void response.write("x".repeat(1_024));
      const timer = setInterval(write, 1);
      response.on("close", () => {
        isLeft = true;
        clearInterval(timer);
      });
    });
    const result = await sendOutbound(to(`http://127.0.0.1:${receiver.port}/`, true));
    expect(result).toMatchObject({ outcome: "answered", status: 200, body: "x".repeat(4_096) });
    await expect.poll(() => isLeft).toBe(true);
  });

  it("says in a sentence why nothing was answered", async () => {
    const receiver = await startReceiver((request) => void request.socket.destroy());
    const broken = await sendOutbound(to(`http://127.0.0.1:${receiver.port}/`, true));
    expect(broken).toMatchObject({ reason: "The receiver closed the connection." });
    const missing = await sendOutbound(to("https://hooks.my-shop.com/", false), {
      resolve: async () => {
        throw Object.assign(new Error("no such host"), { code: "ENOTFOUND" });
      },
    });
    expect(missing).toMatchObject({ reason: "The host name does not exist." });
  });
});

it.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["0", 0],
  ["999999", 24 * 3_600_000],
  ["Mon, 23 Nov 2026 12:00:30 GMT", 30_000],
  ["Mon, 23 Nov 2026 11:00:00 GMT", 0],
  ["soon", null],
  ["-5", null],
  [undefined, null],
])("Retry-After: %s means a wait of %s ms", (text, expected) => {
  expect(parseRetryAfter(text, Date.UTC(2026, 10, 23, 12))).toBe(expected);
});
