// The limits of the platform: servers that only return the same bytes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type CpuReader, makeCpuReader } from "@/bench/costs";
import { freePort } from "@/tests/support/database/postgres.mjs";
import { type Launched, launch, ROOT } from "@/tests/support/product/process";
import { send } from "@/tests/support/product/client";

const NEXT_APP = "dist/bench/next-app";
const NEXT_BIN = "node_modules/next/dist/bin/next";
const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;

export interface BareServer {
  port: number;
  readCpu: CpuReader;
}

/** The response bodies by name, which is also the path. */
export type Bodies = Readonly<Record<string, string>>;

const BARE_NODE = `
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
const bodies = new Map(Object.entries(JSON.parse(readFileSync(process.env.BENCH_BODIES, "utf8"))));
const headers = { "content-type": "application/json; charset=utf-8" };
createServer((request, response) => {
  const body = bodies.get(request.url.slice(1));
  response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const renderBareRoute = (name: string) => `
import { readFileSync } from "node:fs";
export const dynamic = "force-dynamic";
let body;
export function GET() {
  body ??= JSON.parse(readFileSync(process.env.BENCH_BODIES, "utf8"))[${JSON.stringify(name)}];
  return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}
`;

/** A proxy that only passes requests on: the least that proxy.ts can cost. */
const PASS_THROUGH = `
import { NextResponse } from "next/server";
export const proxy = () => NextResponse.next();
export const config = { matcher: "/proxied/:path*" };
`;

/** Without a file of its own, Next takes `instrumentation.ts` of the nearest folder above. Ante's starts its jobs. */
const NO_INSTRUMENTATION = "export function register() {}\n";

/**
 * Builds a Next application with two bare routes per name: one directly, one behind a proxy. An
 * application that an earlier run built with this Next is used again.
 */
export async function buildBareNext(names: readonly string[]): Promise<void> {
  const mark = join(ROOT, NEXT_APP, ".next/bench-mark");
  const wanted = JSON.stringify([
    names,
    readNextVersion(),
    PASS_THROUGH,
    NO_INSTRUMENTATION,
    renderBareRoute(""),
  ]);
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  for (const name of names) {
    for (const path of [name, `proxied/${name}`]) {
      mkdirSync(join(ROOT, NEXT_APP, "app", path), { recursive: true });
      writeFileSync(join(ROOT, NEXT_APP, "app", path, "route.js"), renderBareRoute(name));
    }
  }
  writeFileSync(join(ROOT, NEXT_APP, "proxy.js"), PASS_THROUGH);
  writeFileSync(join(ROOT, NEXT_APP, "instrumentation.js"), NO_INSTRUMENTATION);
  const config = { poweredByHeader: false, agentRules: false, turbopack: { root: ROOT } };
  writeFileSync(
    join(ROOT, NEXT_APP, "next.config.mjs"),
    `export default ${JSON.stringify(config)};\n`,
  );
  writeFileSync(join(ROOT, NEXT_APP, "package.json"), '{ "private": true, "type": "module" }\n');
  const build = launch([NEXT_BIN, "build", NEXT_APP], {});
  const { code } = await build.ended;
  if (code !== 0) throw new Error(`The bare Next application does not build:\n${build.output()}`);
  writeFileSync(mark, wanted);
}

function readNextVersion(): string {
  const text = readFileSync(join(ROOT, "node_modules/next/package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

export async function startBareNext(folder: string, bodies: Bodies): Promise<BareServer> {
  return start(folder, bodies, (port) => {
    return [NEXT_BIN, "start", NEXT_APP, "--port", String(port), "--hostname", "127.0.0.1"];
  });
}

export async function startBareNode(folder: string, bodies: Bodies): Promise<BareServer> {
  const script = join(folder, "bare-node.mjs");
  writeFileSync(script, BARE_NODE);
  return start(folder, bodies, () => [script]);
}

async function start(
  folder: string,
  bodies: Bodies,
  args: (port: number) => readonly string[],
): Promise<BareServer> {
  const file = join(folder, "bodies.json");
  writeFileSync(file, JSON.stringify(bodies));
  const port = await freePort();
  const server = launch(args(port), { PORT: String(port), BENCH_BODIES: file });
  await waitUntilReady(server, port, Object.keys(bodies)[0] ?? "");
  return { port, readCpu: makeCpuReader([server.pid]) };
}

async function waitUntilReady(server: Launched, port: number, name: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await send(port, { method: "GET", path: `/${name}` }).catch(() => null);
    if (answer?.status === 200) return;
    if (server.hasEnded() || Date.now() > deadline) throw new Error(server.output());
    await wait(POLL_MS);
  }
}
