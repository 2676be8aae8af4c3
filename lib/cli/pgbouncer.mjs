// Installs PgBouncer for the tests that run through a pooler, where apt and root allow it. Elsewhere, they don't run.
import { existsSync } from "node:fs";
import { run, say, step } from "./project.mjs";

const PROGRAM = "/usr/sbin/pgbouncer";
const LEFT_OUT = "PgBouncer is not installed: the tests that run through it are left out";

/** Installs Debian's package if it is missing. */
export async function installPgbouncer() {
  if (existsSync(PROGRAM)) return;
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) {
    say(LEFT_OUT);
    return;
  }
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = async () => {
    await run("apt-get", ["update", "-qq"], { quiet: true, env });
    const packages = ["install", "-y", "-qq", "--no-install-recommends", "pgbouncer"];
    await run("apt-get", packages, { quiet: true, env });
  };
  try {
    await step("Installing PgBouncer for the database tests", install);
  } catch (error) {
    say(`${LEFT_OUT} (${error.message})`);
  }
}
