// Runs before each file of a thread. Files share modules of node_modules, which take most of the loading
// time. Our own modules are loaded again, and state of the previous file is removed.
import { vi } from "vitest";

const ENVIRONMENT = Symbol.for("ante.tests.environment");
const holder = globalThis as typeof globalThis & { [ENVIRONMENT]?: NodeJS.ProcessEnv };
const environment = (holder[ENVIRONMENT] ??= { ...process.env });

vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
for (const name of Object.keys(process.env)) {
  if (!(name in environment)) Reflect.deleteProperty(process.env, name);
}
Object.assign(process.env, environment);
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key !== ENVIRONMENT && key.description?.startsWith("ante.")) {
    Reflect.deleteProperty(globalThis, key);
  }
}
