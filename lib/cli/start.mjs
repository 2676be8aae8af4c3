// `npm start`: installs, builds and starts the service.
import "./environment.mjs";
import { build, install } from "./prepare.mjs";
import { fail, ROOT } from "./project.mjs";

process.chdir(ROOT);
process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
try {
  await install({ withTools: false });
  await build();
} catch (error) {
  fail(error.message);
}
await import("../../server.mjs");
