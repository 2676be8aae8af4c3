// Finds a Chromium for the browser tests, or installs one: Debian's with apt and root, else
// Playwright's.
import { existsSync } from "node:fs";
import { run, step } from "./project.mjs";

const PLACES = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Returns the path of an executable for Playwright. Throws if it cannot be installed. */
export async function findChromium() {
  const found = await findInstalled();
  if (found) return found;
  await step("Installing Chromium for the browser tests", install);
  const path = await findInstalled();
  if (!path)
    throw new Error("Chromium is missing. Install it and set CHROMIUM_PATH to its executable.");
  return path;
}

async function findInstalled() {
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
