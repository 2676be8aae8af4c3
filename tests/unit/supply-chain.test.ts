import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

const SCRIPT = "lib/cli/supply-chain.mjs";
const FILES = ["client", "mcp", "cli"]
  .map((name) => `packages/${name}/package.json`)
  .concat("package.json", "package-lock.json");
const folder = mkdtempSync(join(tmpdir(), "ante-supply-chain-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const file of [...FILES, "tests/supply-chain"]) {
    cpSync(file, join(folder, file), { recursive: true });
  }
});

interface Entry {
  /** Only if it differs from the folder's name. */
  name?: string;
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: boolean;
  link?: boolean;
}
interface Lock {
  packages: Record<string, Entry>;
}

function run(mode = "--check", root = folder) {
  const { status, stdout, stderr } = spawnSync(execPath, [SCRIPT, mode, root], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return { status, stdout, stderr };
}

function change<T>(file: string, edit: (document: T) => void): void {
  const path = join(folder, file);
  const document = JSON.parse(readFileSync(path, "utf8")) as T;
  edit(document);
  writeFileSync(path, JSON.stringify(document));
}

const changeLock = (name: string, entry: Partial<Entry>) =>
  change<Lock>("package-lock.json", ({ packages }) => {
    const path = `node_modules/${name}`;
    packages[path] = { version: "1.0.0", ...packages[path], ...entry };
  });

function expectRefusal(reason: string): void {
  const { status, stderr } = run();
  expect(stderr).toContain(reason);
  expect(status).toBe(1);
}

describe("the supply chain check", () => {
  it("passes for the committed and installed packages", () => {
    expect(run("--check", process.cwd())).toMatchObject({ status: 0, stdout: "" });
    expect(run()).toMatchObject({ status: 0 });
  });

  it("fails for a version range and for a version that is not locked", () => {
    change<{ dependencies: Record<string, string> }>("package.json", ({ dependencies }) => {
      dependencies["undici"] = "^7.30.2";
      dependencies["ws"] = "8.23.1";
    });
    expectRefusal("undici@^7.30.2: not an exact version");
    expectRefusal("ws@8.23.1: differs from the lockfile");
  });

  it("fails for a version range in a package of ours, and for a link to another folder", () => {
    change<{ dependencies?: Record<string, string> }>(
      "packages/client/package.json",
      (manifest) => {
        manifest.dependencies = { undici: "^7.30.2" };
      },
    );
    changeLock("@ante/client", { resolved: "../elsewhere", link: true });
    expectRefusal("undici@^7.30.2: not an exact version");
    expectRefusal("node_modules/@ante/client: is a link");
  });

  it("fails for a package without a hash or from another source", () => {
    changeLock("undici", { integrity: "sha1-abc" });
    changeLock("ws", { resolved: "git+ssh://git@github.com/someone/ws.git" });
    expectRefusal("node_modules/undici: has no SHA-512");
    expectRefusal("node_modules/ws: comes from git+ssh");
  });

  it("fails for a package that was not reviewed, a changed licence and a forbidden licence", () => {
    const integrity = "sha512-AA==";
    changeLock("left-pad", { version: "1.3.0", integrity, license: "MIT" });
    changeLock("ws", { license: "GPL-3.0-only" });
    expectRefusal("left-pad@1.3.0: not reviewed yet");
    expectRefusal("its licence changed to GPL-3.0-only");
    expect(run("--accept").status).toBe(0);
    expectRefusal("the licence GPL-3.0-only is not allowed");
  });

  it("fails for an install script that was not reviewed", () => {
    changeLock("undici", { hasInstallScript: true });
    expectRefusal("has an install script that was not reviewed");
  });

  it("fails for a version with an advisory, only within its ranges", () => {
    for (const [version, isBad] of [
      ["16.0.6", true],
      ["15.2.2", true],
      ["16.0.10", false],
      ["16.4.5", false],
    ] as const) {
      changeLock("next", { version });
      expect(run().stderr.includes("CVE-2025-"), version).toBe(isBad);
    }
  });

  it("fails for an installed package with another version or licence than the lockfile", () => {
    const installed = join(folder, "node_modules/ws");
    mkdirSync(installed, { recursive: true });
    const document = { name: "ws", version: "8.23.0", license: "SSPL-1.0" };
    writeFileSync(join(installed, "package.json"), JSON.stringify(document));
    expectRefusal("says SSPL-1.0");
    writeFileSync(join(installed, "package.json"), JSON.stringify({ version: "8.0.0" }));
    expectRefusal("8.0.0 is installed");
  });
});

describe("npm sbom", () => {
  it("lists every package of the lockfile with its hash and licence, without the network", () => {
    const options = ["--sbom-format", "cyclonedx", "--package-lock-only", "--offline"];
    const { stdout, stderr, status } = spawnSync("npm", ["sbom", ...options], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const { components } = JSON.parse(stdout) as {
      components: { purl: string; hashes: { content: string }[]; licenses: unknown[] }[];
    };
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    const locked = Object.entries(packages)
      .filter(([path, { link }]) => path !== "" && !link)
      .map(([path, { name, version }]) => {
        const own = name ?? path.replace(/^.*node_modules\//, "");
        return `pkg:npm/${own.replace(/^@/, "%40")}@${version}`;
      });
    expect(components.map(({ purl }) => purl).toSorted()).toEqual([...new Set(locked)].toSorted());
    // Our own packages are folders of the project, which have no hash.
    for (const { hashes, licenses } of components.filter(({ purl }) => !/%40ante\//.test(purl))) {
      expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
      expect(licenses).toHaveLength(1);
    }
  });
});

describe("installing", () => {
  it("runs no install script, and packages that have one work without it", () => {
    expect(readFileSync("lib/cli/prepare.mjs", "utf8")).toContain('"--ignore-scripts"');
    const { stdout } = spawnSync("node_modules/.bin/esbuild", ["--version"], { encoding: "utf8" });
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    expect(stdout).toBe(`${packages["node_modules/esbuild"]?.version}\n`);
  });
});
