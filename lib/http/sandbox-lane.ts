import "server-only";

/** A route file of the sandbox: its folder under app/api, and what it exports. */
export interface SandboxFile {
  folder: string;
  module: Record<string, unknown>;
}

type WebHandler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

/** Answers a request that a route file handles; null leaves it to Next. */
export type SandboxLane = (request: Request) => Promise<Response | null>;

/** Paths that every router reads alike. The rest, and what no file handles, Next answers. */
const PLAIN_PATH = /^\/sandbox(?:\/[\w.-]+)+$/;
const PARAMETER = /\[(\w+)\]/g;

interface Pattern {
  names: string[];
  path: RegExp;
  module: SandboxFile["module"];
}

/** Serves the sandbox from its route files, in front of Next. */
export function createSandboxLane(files: readonly SandboxFile[]): SandboxLane {
  const literal = new Map<string, SandboxFile["module"]>();
  const patterns: Pattern[] = [];
  for (const { folder, module } of files) {
    if (folder.includes("[...")) continue;
    const names = [...folder.matchAll(PARAMETER)].map(([, name = ""]) => name);
    if (names.length === 0) literal.set(`/${folder}`, module);
    else patterns.push({ names, path: patternOf(folder), module });
  }
  const find = (pathname: string) => {
    const module = literal.get(pathname);
    return module ? { module, params: {} } : firstMatch(patterns, pathname);
  };
  return async (request) => {
    const { pathname } = new URL(request.url);
    const found = PLAIN_PATH.test(pathname) ? find(pathname) : null;
    const handler = found?.module[request.method];
    if (!isHandler(handler)) return null;
    return handler(request, { params: Promise.resolve(found?.params ?? {}) });
  };
}

const patternOf = (folder: string) => new RegExp(`^/${folder.replaceAll(PARAMETER, "([^/]+)")}$`);

function firstMatch(patterns: readonly Pattern[], pathname: string) {
  for (const { names, path, module } of patterns) {
    const values = path.exec(pathname)?.slice(1);
    if (!values) continue;
    const params = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
    return { module, params };
  }
  return null;
}

function isHandler(value: unknown): value is WebHandler {
  return typeof value === "function";
}
