import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { launch, ROOT, startProduct } from "@/tests/support/product/process";

/**
 * Builds the product if its sources changed, then starts it once: tests copy the data directory
 * that this leaves, because creating one takes as long as all the rest of a start.
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
  project.provide("productTemplate", template);
  return () => rmSync(folder, { recursive: true, force: true });
}
