// `npm run supply-chain`: checks the packages without the network: exact versions, hashes, licences,
// install scripts and known bad versions. `--accept` records the current packages. npm does the rest:
// `npm sbom` prints the bill of materials, `npm audit` asks the registry for advisories.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ROOT, say } from "./project.mjs";

const POLICY = "tests/supply-chain/policy.json";
const PACKAGES = "tests/supply-chain/packages.json";
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

const [mode = "", folder = ROOT] = process.argv.slice(2);
const readJson = (path) => JSON.parse(readFileSync(join(folder, path), "utf8"));

const lock = readJson("package-lock.json");
/** The folders of our own packages. npm links them into node_modules. */
const workspaces = Object.keys(lock.packages).filter((path) => /^packages\/[\w-]+$/.test(path));
const isOwn = (path, { link, resolved }) =>
  path === "" || workspaces.includes(path) || (link && workspaces.includes(resolved));
/** Every package of the lockfile that isn't ours, installed here or not. */
const packages = Object.entries(lock.packages)
  .filter(([path, entry]) => !isOwn(path, entry))
  .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? parseName(path) }));

if (mode === "--accept") accept();
else check();

function check() {
  const policy = readJson(POLICY);
  const problems = [
    ...findInexact(),
    ...findUnsafeSources(),
    ...findUnknownPackages(policy),
    ...findDifferentOnDisk(),
    ...findInstallScripts(policy),
    ...findKnownBad(policy),
  ];
  if (problems.length > 0) fail(`The supply chain check failed:\n  ${problems.join("\n  ")}`);
  say(`Supply chain: ${packages.length} packages, advisories as of ${policy.advisories.asOf}.`);
}

function accept() {
  const names = [...new Set(packages.map(({ name }) => name))].toSorted();
  const sorted = Object.fromEntries(names.map((name) => [name, listLicenses(name)]));
  writeFileSync(join(folder, PACKAGES), `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Lists the licences of a package's versions; a single one as text. */
function listLicenses(name) {
  const versions = packages.filter((one) => one.name === name);
  const licenses = [...new Set(versions.map(({ license }) => license ?? "none"))].toSorted();
  return licenses.length === 1 ? licenses[0] : licenses;
}

function parseName(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Finds versions in the manifests that are not exact or not the lockfile's. */
function findInexact() {
  return ["", ...workspaces].flatMap((workspace) => {
    const manifest = readJson(join(workspace, "package.json"));
    return ["dependencies", "devDependencies"].flatMap((kind) =>
      Object.entries(manifest[kind] ?? {}).flatMap(([name, version]) => {
        if (!EXACT.test(version)) return [`${name}@${version}: not an exact version`];
        const isLocked = lock.packages[workspace][kind]?.[name] === version;
        return isLocked && findLocked(workspace, name) === version
          ? []
          : [`${name}@${version}: differs from the lockfile`];
      }),
    );
  });
}

/** Finds the version that a package of ours gets: its own, or the shared one. */
function findLocked(workspace, name) {
  const path = `node_modules/${name}`;
  const entry = lock.packages[join(workspace, path)] ?? lock.packages[path];
  return (entry?.link ? lock.packages[entry.resolved] : entry)?.version;
}

/** Finds packages that don't come from the registry with a hash. */
function findUnsafeSources() {
  return packages.flatMap(({ path, integrity, resolved, link }) => {
    if (link) return [`${path}: is a link`];
    if (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/"))
      return [`${path}: comes from ${resolved}`];
    return integrity?.startsWith("sha512-") ? [] : [`${path}: has no SHA-512`];
  });
}

function findUnknownPackages({ licenses }) {
  const known = readJson(PACKAGES);
  return packages.flatMap(({ name, version, license = "none" }) => {
    const label = `${name}@${version}`;
    if (known[name] === undefined) return [`${label}: not reviewed yet`];
    if (![known[name]].flat().includes(license))
      return [`${label}: its licence changed to ${license}`];
    return isAllowed(license, licenses) ? [] : [`${label}: the licence ${license} is not allowed`];
  });
}

function isAllowed(license, allowed) {
  return license.split(" AND ").every((part) => Object.hasOwn(allowed, part));
}

/** Finds installed packages whose own manifest differs from the lockfile. */
function findDifferentOnDisk() {
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

function findInstallScripts({ installScripts: known }) {
  return packages
    .filter(({ hasInstallScript }) => hasInstallScript)
    .filter(({ name }) => !Object.keys(known).some((pattern) => matches(pattern, name)))
    .map(({ name, version }) => `${name}@${version}: has an install script that was not reviewed`);
}

function matches(pattern, name) {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

function findKnownBad({ advisories }) {
  return packages.flatMap(({ path, name, version }) =>
    advisories.known
      .filter((advisory) => advisory.package === name)
      .filter(({ ranges }) => ranges.some((range) => isWithin(version, range)))
      .filter(({ id }) => !advisories.accepted.some((one) => one.id === id && one.path === path))
      .map(({ id, title }) => `${path}@${version}: ${id}, ${title}`),
  );
}

/** Returns whether a version is in a range. `from` is inclusive, `before` exclusive. */
function isWithin(version, { from = "0.0.0", before }) {
  return compare(version, from) >= 0 && (before === undefined || compare(version, before) < 0);
}

function compare(a, b) {
  const numbers = (version) => version.split(/[-+]/, 1)[0].split(".").map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
