// Runs the benchmark and writes bench-results.json. Started by lib/cli/bench.mjs.
import { listParts } from "@/bench/parts";
import { publish } from "@/bench/results";
import { runAll } from "@/bench/run";

const FULL_S = 600;
const QUICK_S = 120;

const given = process.argv.slice(2);
const isQuick = given.includes("--quick");
const wanted = given.filter((argument) => argument !== "--quick");
await runAll(listParts(isQuick, wanted), isQuick ? QUICK_S : FULL_S);
publish();
