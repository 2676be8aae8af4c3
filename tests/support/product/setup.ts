import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { launch, ROOT, runAdmin, startProduct } from "@/tests/support/product/process";

/**
 * Builds the product if its sources changed, then starts it once: tests copy the data directory
 * that this leaves, because creating one takes as long as all the rest of a start. It has the demo
 * account with its history, and a trader without orders.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  // In a process of its own, which has the environment of a production build.
  const build = launch(
    ["-e", `import(${JSON.stringify(`${ROOT}lib/cli/prepare.mjs`)}).then((m) => m.build())`],
    {},
  );
  const { code } = await build.ended;
  if (code !== 0) throw new Error(`the build failed:\n${build.output()}`);

  const folder = mkdtempSync(join(tmpdir(), "ante-template-"));
  const template = join(folder, "data");
  const product = await startProduct({ dataDir: template });
  await product.stop();
  const seeding = await runAdmin(["seed", "--users", "1", "--deposit", "10000", "--json"], {
    DATA_DIR: template,
  });
  if (seeding.code !== 0) throw new Error(`no trader was seeded:\n${seeding.output}`);
  const { users } = JSON.parse(seeding.stdout) as { users: { apiKey: string }[] };
  project.provide("productTemplate", template);
  project.provide("productTrader", users[0]?.apiKey ?? "");
  return () => rmSync(folder, { recursive: true, force: true });
}
