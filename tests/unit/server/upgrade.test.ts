import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onUpgrade } from "@/lib/server/upgrade";

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    response.end(`${request.method} ${request.url} ${request.headers["x-kept"]} [${body}]`);
  });
  onUpgrade(server, (request, socket) => {
    if (request.url !== "/socket") return false;
    socket.once("finish", () => socket.destroy());
    socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    return true;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Sends bytes in pieces and returns everything that came back until the connection ended. */
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

describe("requests that offer another protocol", () => {
  it("are taken over when somebody serves it", async () => {
    const answer = await talk(
      "GET /socket HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    );
    expect(answer).toBe("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  });

  it("are answered as ordinary ones when nobody does, and so is what follows", async () => {
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

  it("keep their bodies, however these arrive", async () => {
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
});
