// Finds a Chromium for the browser tests, or installs one: Debian's where apt and root are there,
// else Playwright's own.
import { existsSync } from "node:fs";
import { run, step } from "./project.mjs";

const PLACES = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of an executable that Playwright can drive. Throws when there is no way to get one. */
export async function findChromium() {
  const found = await installed();
  if (found) return found;
  await step("Installing Chromium for the browser tests", install);
  const path = await installed();
  if (!path) throw new Error("no Chromium: install one and set CHROMIUM_PATH to its executable");
  return path;
}

async function installed() {
  const { chromium } = await import("playwright");
  return [...PLACES, chromium.executablePath()].find((path) => path && existsSync(path));
}

async function install() {
  if (existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-qq"], { quiet: true, env });
    const packages = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
    await run("apt-get", packages, { quiet: true, env });
  } else {
    await run("npx", ["playwright", "install", "chromium-headless-shell"], { quiet: true });
  }
}
