// `npm run dev`: Next's development server with reload. Next also serves the API there.
import "./environment.mjs";
import { install } from "./prepare.mjs";
import { bin, run } from "./project.mjs";

await install({ withTools: true });
const port = process.env.PORT || "3000";
const host = process.env.HOST || "127.0.0.1";
await run(process.execPath, [bin("next"), "dev", "--port", port, "--hostname", host]);
