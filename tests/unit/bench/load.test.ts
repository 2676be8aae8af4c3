// The load generator on servers whose behavior is known.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { generate } from "@/tests/bench/load/generate";
import { type Call, UNIQUE } from "@/tests/bench/load/scenario";
import { medianOf, quantile } from "@/tests/bench/measure";

const servers: Server[] = [];

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const GET: Call = { method: "GET", path: "/" };

describe("a load", () => {
  it("sends exactly as many requests as it is told, over as many connections", async () => {
    const sockets = new Set<unknown>();
    let served = 0;
    const port = await listen((request, response) => {
      sockets.add(request.socket);
      served += 1;
      response.end("fine");
    });
    const result = await generate({ ports: [port], connections: 7, calls: [GET], requests: 101 });
    expect({ served, connections: sockets.size }).toEqual({ served: 101, connections: 7 });
    expect(result.latencies).toHaveLength(101);
    expect(result.failures).toEqual([]);
  });

  it("ends when its time is over", async () => {
    const port = await listen((_, response) => response.end("fine"));
    const { seconds, latencies } = await generate({
      ports: [port],
      connections: 2,
      calls: [GET],
      seconds: 0.2,
    });
    expect(seconds).toBeGreaterThan(0.19);
    expect(seconds).toBeLessThan(2);
    expect(latencies.length).toBeGreaterThan(0);
  });

  it("shows a server that has become slow", async () => {
    const port = await listen((_, response) => void wait(20).then(() => response.end("fine")));
    const { latencies } = await generate({
      ports: [port],
      connections: 2,
      calls: [GET],
      requests: 20,
    });
    expect(latencies[0]).toBeGreaterThan(18);
  });

  it("reads bodies in chunks, in pieces and across packets as one answer each", async () => {
    const port = await listen((_, response) => {
      response.write('{"orderId":');
      setTimeout(() => {
        response.write('"ord_1"');
        response.end("}".repeat(70_000));
      }, 2);
    });
    const { collected, latencies } = await generate({
      ports: [port],
      connections: 3,
      calls: [GET],
      requests: 9,
      collect: '"orderId":"([^"]+)"',
    });
    expect(latencies).toHaveLength(9);
    expect(collected).toEqual(Array.from({ length: 9 }, () => ({ call: 0, value: "ord_1" })));
  });

  it("counts what is not 200 and what breaks apart from what succeeds", async () => {
    let count = 0;
    const port = await listen((request, response) => {
      count += 1;
      if (count === 3) request.socket.destroy();
      else response.writeHead(count % 2 === 0 ? 200 : 400).end("said");
    });
    const result = await generate({ ports: [port], connections: 1, calls: [GET], requests: 6 });
    expect(result.latencies).toHaveLength(3);
    expect(result.failures.map(({ status, count: many }) => [status, many])).toEqual([
      [400, 2],
      [0, 1],
    ]);
  });

  it("makes text unique that must be, within the length it promised", async () => {
    const keys = new Set<string>();
    const port = await listen((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        keys.add((JSON.parse(body) as { key: string }).key);
        response.end("fine");
      });
    });
    const call: Call = { method: "POST", path: "/", body: JSON.stringify({ key: UNIQUE }) };
    await generate({ ports: [port], connections: 4, calls: [call], requests: 50 });
    expect(keys.size).toBe(50);
  });
});

describe("quantiles", () => {
  it("are the value that so many lie below", () => {
    const values = Float64Array.from({ length: 100 }, (_, index) => index);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([
      50, 99, 99,
    ]);
  });

  it("have a median of rounds that one disturbed round does not move", () => {
    expect(medianOf([10, 900, 11])).toBe(11);
    expect(medianOf([])).toBeNull();
  });
});
