import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

const SCRIPT = "lib/cli/supply-chain.mjs";
const FILES = ["package.json", "package-lock.json"];
const folder = mkdtempSync(join(tmpdir(), "ante-supply-chain-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const file of [...FILES, "tests/supply-chain"]) {
    cpSync(file, join(folder, file), { recursive: true });
  }
});

interface Entry {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  hasInstallScript?: boolean;
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

describe("the supply chain's check", () => {
  it("passes what is committed and installed here", () => {
    expect(run("--check", process.cwd())).toMatchObject({ status: 0, stdout: "" });
    expect(run()).toMatchObject({ status: 0 });
  });

  it("fails a version that is a range, or not the locked one", () => {
    change<{ dependencies: Record<string, string> }>("package.json", ({ dependencies }) => {
      dependencies["undici"] = "^7.30.2";
      dependencies["ws"] = "8.23.1";
    });
    expectRefusal("undici@^7.30.2: not an exact version");
    expectRefusal("ws@8.23.1: not what is locked");
  });

  it("fails a package without a hash, or from elsewhere", () => {
    changeLock("undici", { integrity: "sha1-abc" });
    changeLock("ws", { resolved: "git+ssh://git@github.com/someone/ws.git" });
    expectRefusal("node_modules/undici: has no SHA-512");
    expectRefusal("node_modules/ws: comes from git+ssh");
  });

  it("fails a package that nobody looked at, a new licence and one that is not allowed", () => {
    const integrity = "sha512-AA==";
    changeLock("left-pad", { version: "1.3.0", integrity, license: "MIT" });
    changeLock("ws", { license: "GPL-3.0-only" });
    expectRefusal("left-pad@1.3.0: nobody has looked at it yet");
    expectRefusal("its licence became GPL-3.0-only");
    expect(run("--accept").status).toBe(0);
    expectRefusal("the licence GPL-3.0-only is not allowed");
  });

  it("fails an install script that nobody looked at", () => {
    changeLock("undici", { hasInstallScript: true });
    expectRefusal("has an install script nobody looked at");
  });

  it("fails a version that is known to be bad, within its ranges only", () => {
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

  it("fails what is installed in another version than the locked one, or says another licence", () => {
    const installed = join(folder, "node_modules/ws");
    mkdirSync(installed, { recursive: true });
    const document = { name: "ws", version: "8.23.0", license: "SSPL-1.0" };
    writeFileSync(join(installed, "package.json"), JSON.stringify(document));
    expectRefusal("says SSPL-1.0");
    writeFileSync(join(installed, "package.json"), JSON.stringify({ version: "8.0.0" }));
    expectRefusal("8.0.0 is installed");
  });
});

describe("the bill of materials", () => {
  it("names every package of the lockfile with its hash and licence, the same each time", () => {
    const { stdout, status } = run("--sbom");
    expect(status).toBe(0);
    expect(run("--sbom").stdout).toBe(stdout);
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    const bill = JSON.parse(stdout) as {
      bomFormat: string;
      serialNumber: string;
      components: { purl: string; hashes: { content: string }[]; licenses: unknown[] }[];
    };
    expect(bill.bomFormat).toBe("CycloneDX");
    expect(bill.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(bill.components).toHaveLength(Object.keys(packages).length - 1);
    for (const { purl, hashes, licenses } of bill.components) {
      expect(purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
      expect(licenses).toHaveLength(1);
    }
  });
});

describe("installing", () => {
  it("runs no install script, and what needs one elsewhere works without", () => {
    expect(readFileSync("lib/cli/prepare.mjs", "utf8")).toContain('"--ignore-scripts"');
    const { stdout } = spawnSync("node_modules/.bin/esbuild", ["--version"], { encoding: "utf8" });
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
    expect(stdout).toBe(`${packages["node_modules/esbuild"]?.version}\n`);
  });
});
