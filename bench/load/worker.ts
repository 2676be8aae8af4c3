// The load generator's process. It is separate so that it doesn't block the benchmark.
import { generate } from "@/bench/load/generate";
import type { LoadOptions } from "@/bench/load/scenario";

process.on("message", (options: LoadOptions) => {
  void generate(options).then((result) => process.send?.(result));
});
process.once("disconnect", () => process.exit(0));
