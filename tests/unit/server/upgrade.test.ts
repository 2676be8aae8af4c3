import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trackResponse, watchConnections } from "@/lib/server/in-flight";
import { onUpgrade, refuseUpgrade } from "@/lib/server/upgrade";

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    trackResponse(request, response);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    if (request.url === "/slow") await new Promise((resolve) => setTimeout(resolve, 100));
    response.end(`${request.method} ${request.url} ${request.headers["x-kept"]} [${body}]`);
  });
  watchConnections(server);
  onUpgrade(server, (request, socket, head) => {
    if (request.url === "/refused") {
      refuseUpgrade(socket, 429, "too many");
      return true;
    }
    if (request.url === "/echo") {
      socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      socket.write(head);
      socket.pipe(socket);
      return true;
    }
    if (request.url !== "/socket") return false;
    socket.once("finish", () => socket.destroy());
    socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    return true;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Sends bytes in pieces and returns everything received until the connection ends. */
async function talk(...pieces: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  socket.end();
  await closed;
  return answer;
}

const bodies = (answer: string) => answer.match(/(GET|POST) \/.*\]/g) ?? [];
const offer = "host: a\r\nx-kept: yes\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\n";

describe("requests with an upgrade header", () => {
  it("are handed over if a handler accepts them", async () => {
    const answer = await talk(
      "GET /socket HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    );
    expect(answer).toBe("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });

  it("are answered as ordinary requests if no handler accepts them, like those that follow", async () => {
    const follow = "GET /next HTTP/1.1\r\nhost: a\r\nx-kept: no\r\n\r\n";
    expect(bodies(await talk(`GET /first HTTP/1.1\r\n${offer}\r\n`, follow))).toEqual([
      "GET /first yes []",
      "GET /next no []",
    ]);
    expect(bodies(await talk(`GET /first HTTP/1.1\r\n${offer}\r\n${follow}`))).toEqual([
      "GET /first yes []",
      "GET /next no []",
    ]);
  });

  it("keep their bodies in any split", async () => {
    const head = `POST /order HTTP/1.1\r\n${offer}content-length: 10\r\n\r\n`;
    expect(bodies(await talk(`${head}0123456789`))).toEqual(["POST /order yes [0123456789]"]);
    expect(bodies(await talk(head, "01234", "56789"))).toEqual(["POST /order yes [0123456789]"]);
    const many = "a: b\r\n".repeat(1_500);
    const long = `POST /order HTTP/1.1\r\n${offer}${many}content-length: 10\r\n\r\n`;
    expect(bodies(await talk(`${long}0123456789`))).toEqual(["POST /order yes [0123456789]"]);
    const chunked = `POST /order HTTP/1.1\r\n${offer}transfer-encoding: chunked\r\n\r\n`;
    expect(bodies(await talk(chunked, "3\r\nabc\r\n", "0\r\n\r\n"))).toEqual([
      "POST /order yes [abc]",
    ]);
  });

  const follow = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nx-kept: no\r\n\r\n`;
  const offered = (path: string) => `GET ${path} HTTP/1.1\r\n${offer}\r\n`;

  it.each([
    ["behind a slow request", follow("/slow") + offered("/offer")],
    ["behind another upgrade request", offered("/slow") + offered("/offer")],
    [
      "with a body, behind another upgrade request",
      `${offered("/slow")}POST /offer HTTP/1.1\r\n${offer}content-length: 2\r\n\r\nok`,
    ],
  ])("are answered in order %s, and so is what follows", async (_name, requests) => {
    for (const pieces of [[requests + follow("/last")], [requests, follow("/last")]]) {
      const answers = bodies(await collect(3, ...pieces));
      expect(answers.map((text) => text.split(" ")[1])).toEqual(["/slow", "/offer", "/last"]);
    }
  });

  it("are handed over after earlier requests are answered, with the bytes that follow", async () => {
    const answer = await collect(
      2,
      `${follow("/slow")}GET /echo HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nGET /echoed []`,
    );
    expect(bodies(answer)).toHaveLength(2);
    expect(answer.indexOf("/slow")).toBeLessThan(answer.indexOf("101 Switching Protocols"));
    expect(answer).toMatch(/101 Switching Protocols\r\n\r\nGET \/echoed \[\]$/);
  });

  it("that are refused get a response and are closed, even if more bytes follow", async () => {
    const upgrade =
      "GET /refused HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
    const answer = await talkToTheEnd(upgrade + "x".repeat(200_000));
    expect(answer).toContain("HTTP/1.1 429 Too Many Requests");
    expect(answer).toContain('{"error":"too many"}');
  });
});

/** Sends bytes and returns everything received until the server closes the connection. */
async function talkToTheEnd(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  socket.on("error", () => {});
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

/** Sends pieces and returns what was received once it has the given number of bodies and no more follow. */
async function collect(count: number, ...pieces: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  const complete = new Promise<void>((resolve, reject) => {
    socket.on("data", (bytes) => {
      answer += bytes.toString();
      if (bodies(answer).length >= count) resolve();
    });
    setTimeout(() => reject(new Error(`never answered: ${answer}`)), 5_000).unref();
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  try {
    await complete;
    return answer;
  } finally {
    socket.destroy();
  }
}
