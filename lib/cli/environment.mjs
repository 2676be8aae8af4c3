// Loads `.env` from the project's root. Every command imports this first, so that pages, the API and
// the admin verbs have the same environment. Variables that are already set win over the file.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as util from "node:util";
import { fail, requireNode, ROOT, say } from "./project.mjs";

/** Files that Next would also read, but only for the pages. */
const NEXT_FILES = ["local", "production", "production.local", "development", "development.local"];

requireNode();
// Tells Next not to read its files.
Object.assign(process.env, { __NEXT_PROCESSED_ENV: "true" });

for (const [name, value] of Object.entries(util.parseEnv(readEnvFile()))) {
  process.env[name] ??= value;
}

for (const file of NEXT_FILES.map((suffix) => `.env.${suffix}`)) {
  if (existsSync(join(ROOT, file))) say(`warning: ${file} is not read; Ante reads .env only`);
}

function readEnvFile() {
  const path = join(ROOT, ".env");
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    return fail(`${path} cannot be read: ${error.message}`);
  }
}
