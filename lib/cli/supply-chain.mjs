// `npm run supply-chain`: checks what this project is made of, without the network: exact versions,
// hashes, licences, install scripts and known bad versions. With `--sbom` it prints the bill of
// materials as CycloneDX JSON; with `--accept` it writes down the packages that are there now.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ROOT, say } from "./project.mjs";

const POLICY = "tests/supply-chain/policy.json";
const PACKAGES = "tests/supply-chain/packages.json";
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

const [mode = "", folder = ROOT] = process.argv.slice(2);
const readJson = (path) => JSON.parse(readFileSync(join(folder, path), "utf8"));

const lock = readJson("package-lock.json");
const manifest = readJson("package.json");
/** Every package of the lockfile, installed here or not. */
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? nameOf(path) }));

if (mode === "--sbom") process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 2)}\n`);
else if (mode === "--accept") accept();
else check();

function check() {
  const policy = readJson(POLICY);
  const problems = [
    ...inexact(),
    ...unsafeSources(),
    ...unknownPackages(policy),
    ...differentOnDisk(),
    ...installScripts(policy),
    ...knownBad(policy),
  ];
  if (problems.length > 0) fail(`supply chain:\n  ${problems.join("\n  ")}`);
  say(`supply chain: ${packages.length} packages, advisories as of ${policy.advisories.asOf}`);
}

function accept() {
  const known = new Map(packages.map(({ name, license }) => [name, license ?? "none"]));
  const sorted = Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(folder, PACKAGES), `${JSON.stringify(sorted, null, 2)}\n`);
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** What the manifest asks for is one version each, and the lockfile's. */
function inexact() {
  const root = lock.packages[""];
  return ["dependencies", "devDependencies"].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).flatMap(([name, version]) => {
      if (!EXACT.test(version)) return [`${name}@${version}: not an exact version`];
      const isLocked = root[kind]?.[name] === version;
      const locked = lock.packages[`node_modules/${name}`]?.version;
      return isLocked && locked === version ? [] : [`${name}@${version}: not what is locked`];
    }),
  );
}

/** Everything comes from a registry and is known by its hash. */
function unsafeSources() {
  return packages.flatMap(({ path, integrity, resolved, link }) => {
    if (link) return [`${path}: is a link`];
    if (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"))
      return [`${path}: comes from ${resolved}`];
    return integrity?.startsWith("sha512-") ? [] : [`${path}: has no SHA-512`];
  });
}

function unknownPackages({ licenses }) {
  const known = readJson(PACKAGES);
  return packages.flatMap(({ name, version, license = "none" }) => {
    const label = `${name}@${version}`;
    if (known[name] === undefined) return [`${label}: nobody has looked at it yet`];
    if (known[name] !== license) return [`${label}: its licence became ${license}`];
    return isAllowed(license, licenses) ? [] : [`${label}: the licence ${license} is not allowed`];
  });
}

function isAllowed(license, allowed) {
  return license.split(" AND ").every((part) => Object.hasOwn(allowed, part));
}

/** What is installed is what the lockfile says, by its own word. */
function differentOnDisk() {
  return packages.flatMap(({ path, version, license }) => {
    const file = join(path, "package.json");
    if (!existsSync(join(folder, file))) return [];
    const installed = readJson(file);
    if (installed.version !== version) return [`${path}: ${installed.version} is installed`];
    const own = installed.license?.type ?? installed.license;
    const isSame = own === undefined || own === license;
    return isSame ? [] : [`${path}: says ${own}, the lockfile ${license}`];
  });
}

function installScripts({ installScripts: known }) {
  return packages
    .filter(({ hasInstallScript }) => hasInstallScript)
    .filter(({ name }) => !Object.keys(known).some((pattern) => matches(pattern, name)))
    .map(({ name, version }) => `${name}@${version}: has an install script nobody looked at`);
}

function matches(pattern, name) {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

function knownBad({ advisories }) {
  return packages.flatMap(({ path, name, version }) =>
    advisories.known
      .filter((advisory) => advisory.package === name)
      .filter(({ ranges }) => ranges.some((range) => isWithin(version, range)))
      .filter(({ id }) => !advisories.accepted.some((one) => one.id === id && one.path === path))
      .map(({ id, title }) => `${path}@${version}: ${id}, ${title}`),
  );
}

/** `from` counts in, `before` does not; a missing end is open. */
function isWithin(version, { from = "0.0.0", before }) {
  return compare(version, from) >= 0 && (before === undefined || compare(version, before) < 0);
}

function compare(a, b) {
  const numbers = (version) => version.split(/[-+]/, 1)[0].split(".").map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

/** The same lockfile gives the same document, byte for byte. */
function billOfMaterials() {
  const digest = createHash("sha256").update(JSON.stringify(lock)).digest("hex");
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-5$3-8$4-$5");
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      component: { type: "application", name: manifest.name, version: manifest.version },
    },
    components: packages.map(componentOf),
  };
}

function componentOf({ path, name, version, license, integrity, dev, optional }) {
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  const isExpression = / (AND|OR) /.test(license ?? "");
  const licenses = isExpression ? [{ expression: license }] : [{ license: { id: license } }];
  const content = Buffer.from((integrity ?? "").replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": path,
    name,
    version,
    scope: dev ? "excluded" : optional ? "optional" : "required",
    purl,
    hashes: [{ alg: "SHA-512", content }],
    ...(license === undefined ? {} : { licenses }),
  };
}
