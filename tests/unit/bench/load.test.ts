// The load generator with servers of known behavior.
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { generate } from "@/bench/load/generate";
import { type Call, UNIQUE } from "@/bench/load/scenario";
import { computeMedian, computeQuantile } from "@/bench/measure";

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
  it("sends exactly the given number of requests over the given connections", async () => {
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

  it("ends when its time is up", async () => {
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

  it("measures the latency of a slow server", async () => {
    const port = await listen((_, response) => void wait(20).then(() => response.end("fine")));
    const { latencies } = await generate({
      ports: [port],
      connections: 2,
      calls: [GET],
      requests: 20,
    });
    expect(latencies[0]).toBeGreaterThan(18);
  });

  it("reads chunked and split bodies as one response each", async () => {
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

  it("counts other statuses and broken connections separately from successes", async () => {
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

  it("replaces unique texts without changing the promised length", async () => {
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
  it("return the value below which that share of values lies", () => {
    const values = Float64Array.from({ length: 100 }, (_, index) => index);
    expect([
      computeQuantile(values, 0.5),
      computeQuantile(values, 0.99),
      computeQuantile(values, 1),
    ]).toEqual([50, 99, 99]);
  });

  it("give a median of rounds that one disturbed round does not change", () => {
    expect(computeMedian([10, 900, 11])).toBe(11);
    expect(computeMedian([])).toBeNull();
  });
});
