// The load generator's process, so that its work delays neither the servers' nor the bench's.
import { generate } from "@/tests/bench/load/generate";
import type { LoadOptions } from "@/tests/bench/load/scenario";

process.on("message", (options: LoadOptions) => {
  void generate(options).then((result) => process.send?.(result));
});
process.once("disconnect", () => process.exit(0));
