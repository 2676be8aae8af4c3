// No container can be built where the tests run, so these tests read the files that describe one.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENV_NAMES } from "@/lib/env";

const INSTRUCTIONS = ["FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE"].concat(
  "HEALTHCHECK",
  "CMD",
);

interface Instruction {
  name: string;
  text: string;
  flags: Record<string, string>;
  words: string[];
}

/** The instructions of the Dockerfile, continued lines joined, by stage. */
function readStages(): { name: string; base: string; instructions: Instruction[] }[] {
  const lines = readFileSync("Dockerfile", "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const instructions = lines.map((line): Instruction => {
    const [name = "", ...rest] = line.trim().split(/\s+/);
    const flags = rest
      .filter((word) => word.startsWith("--"))
      .map((flag) => flag.slice(2).split("="));
    const words = rest.filter((word) => !word.startsWith("--"));
    return { name, text: line, flags: Object.fromEntries(flags) as Record<string, string>, words };
  });
  const starts = instructions.flatMap(({ name }, index) => (name === "FROM" ? [index] : []));
  return starts.map((start, index) => ({
    name: instructions[start]?.words[2] ?? "",
    base: instructions[start]?.words[0] ?? "",
    instructions: instructions.slice(start, starts[index + 1]),
  }));
}

describe("the Dockerfile", () => {
  const stages = readStages();
  const all = stages.flatMap(({ instructions }) => instructions);
  const copies = all.filter(({ name }) => name === "COPY");

  it("uses known instructions only and begins with a stage", () => {
    expect(all.filter(({ name }) => !INSTRUCTIONS.includes(name))).toEqual([]);
    expect(readFileSync("Dockerfile", "utf8").replaceAll(/^#.*\n/gm, "")).toMatch(/^FROM /);
  });

  it("builds each stage from a Node image or an earlier stage", () => {
    for (const [index, { name, base }] of stages.entries()) {
      const earlier = stages.slice(0, index).map((stage) => stage.name);
      expect(base.startsWith("node:22-") || earlier.includes(base), name).toBe(true);
    }
  });

  it("copies only what the repository or an earlier stage has", () => {
    expect(copies.length).toBeGreaterThan(5);
    const ignored = readFileSync(".dockerignore", "utf8").trim().split("\n");
    for (const { text, flags, words } of copies) {
      const sources = words.slice(0, -1);
      const { from } = flags;
      if (from === undefined) {
        expect(
          sources.filter((path) => !existsSync(path) || ignored.includes(path)),
          text,
        ).toEqual([]);
      } else {
        expect(
          stages.map(({ name }) => name),
          text,
        ).toContain(from);
        // Folders that the installation and the build create.
        const made = ["/app/node_modules", "/app/.next", "/app/dist"];
        expect(
          sources.filter((path) => !made.includes(path)),
          text,
        ).toEqual([]);
      }
    }
  });

  it("copies several files to a folder", () => {
    for (const { text, words } of copies.filter(({ words: { length } }) => length > 2)) {
      expect(words.at(-1), text).toMatch(/\/$/);
    }
  });

  it("sets variables that the service knows", () => {
    const names = all
      .filter(({ name }) => name === "ENV")
      .flatMap(({ words }) => words.map((word) => word.split("=")[0] ?? ""));
    expect(names.filter((name) => name !== "NODE_ENV" && !ENV_NAMES.includes(name))).toEqual([]);
  });

  it("runs the service as another user than root, with a health check", () => {
    const service = stages.at(-1)?.instructions ?? [];
    const find = (wanted: string) => service.find(({ name }) => name === wanted);
    expect(find("USER")?.words).toEqual(["node"]);
    expect(find("HEALTHCHECK")?.text).toContain("/health");
    const command = JSON.parse(find("CMD")?.text.slice("CMD".length) ?? "[]") as string[];
    expect(command[0]).toBe("node");
    expect(existsSync(command[1] ?? "")).toBe(true);
  });
});

it(".dockerignore keeps secrets and built files out of the image", () => {
  const ignored = readFileSync(".dockerignore", "utf8").trim().split("\n");
  for (const path of [".env", ".data*", ".git", "node_modules", ".next", "dist"]) {
    expect(ignored).toContain(path);
  }
});

describe("compose.yaml", () => {
  const text = readFileSync("compose.yaml", "utf8");
  /** The lines below a key, which are indented more than the key. */
  const below = (key: string, within = text, indent = "") => {
    const block = new RegExp(`^${indent}${key}:\\n((?:${indent} +.*\\n|\\n)*)`, "m").exec(within);
    return block?.[1] ?? "";
  };
  const readKeys = (block: string, indent: string) =>
    [...block.matchAll(new RegExp(`^${indent}([\\w.-]+):`, "gm"))].map(([, key = ""]) => key);
  const service = below("ante", below("services"), "  ");

  it("is indented by spaces, and every line is a key, an item or a comment", () => {
    for (const line of text.split("\n")) {
      expect(line).toMatch(/^((  )*([\w.-]+:( .+)?|- .+)|#.*)?$/);
    }
  });

  it("sets only variables that the service knows, and takes only those from .env", () => {
    const names = readKeys(below("environment", service, "    "), "      ");
    expect(names).toContain("DATABASE_URL");
    expect(names.filter((name) => !ENV_NAMES.includes(name))).toEqual([]);
    const taken = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    const known = [...ENV_NAMES, "POSTGRES_PASSWORD"];
    expect(taken.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("passes every secret that a service with DATABASE_URL needs", () => {
    const secrets = ["KEY_ENCRYPTION_KEYS", "API_KEY_PEPPER", "NEXTAUTH_SECRET", "CRON_SECRET"];
    for (const name of secrets) expect(service).toContain(`${name}: \${${name}:?`);
  });

  it("refers to services and volumes that it defines", () => {
    const services = readKeys(below("services"), "  ");
    expect(services).toEqual(["ante", "database"]);
    const needed = readKeys(below("depends_on", service, "    "), "      ");
    expect(needed).toEqual(["database"]);
    const used = [...text.matchAll(/^ +- (\w+):\//gm)].map(([, name = ""]) => name);
    expect(used).toEqual(readKeys(below("volumes"), "  "));
  });
});
