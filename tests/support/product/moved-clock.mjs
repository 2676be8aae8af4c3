// Loaded into a process before the product: moves its clock forward while it runs, by the milliseconds
// in a file.
import { readFileSync } from "node:fs";

const readNow = Date.now;
const file = process.env.MOVED_CLOCK_FILE ?? "";
const readOffset = () => Number(readFileSync(file, "utf8"));
let offset = readOffset();
setInterval(() => {
  offset = readOffset();
}, 100).unref();
Date.now = () => readNow() + offset;
