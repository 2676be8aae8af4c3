// The sandbox's own route files behind a server that can fail. What it handled is in the database,
// as the ground truth.
import { readdirSync } from "node:fs";
import { type FaultServer, startFaultServer, type VenueCall } from "@/tests/support/fault-server";

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

const ROOT = "app/api/sandbox";
const FILES = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)route\.ts$/.test(file) && !file.includes("[..."))
  .toSorted();

const ROUTES = FILES.map((file) => {
  const folder = file.replace(/\/route\.ts$/, "");
  const names = [...folder.matchAll(/\[(\w+)\]/g)].map(([, name = ""]) => name);
  const pattern = new RegExp(`^/${folder.replace(/\[\w+\]/g, "([^/]+)")}$`);
  return { file, names, pattern };
}).toSorted((a, b) => a.names.length - b.names.length);

export const startSandboxServer = (): Promise<FaultServer> => startFaultServer(dispatch);

async function dispatch(url: URL, call: VenueCall, headers: Headers): Promise<Response> {
  for (const { file, names, pattern } of ROUTES) {
    const found = pattern.exec(call.path);
    if (!found) continue;
    const module = (await import(/* @vite-ignore */ `../../${ROOT}/${file}`)) as Record<
      string,
      Handler | undefined
    >;
    const handler = module[call.method];
    if (!handler) return Response.json({ error: "method not allowed" }, { status: 405 });
    const params = Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ""]));
    const request = new Request(url, {
      method: call.method,
      headers,
      ...(call.body === "" ? {} : { body: call.body }),
    });
    return handler(request, { params: Promise.resolve(params) });
  }
  return Response.json({ error: "not found" }, { status: 404 });
}
