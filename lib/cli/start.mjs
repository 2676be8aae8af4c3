// `npm start`: from a fresh clone to a running service in one command.
import { build, install } from "./prepare.mjs";
import { fail, requireNode, ROOT } from "./project.mjs";

requireNode();
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
