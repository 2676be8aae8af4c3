// `npm run dev`: Next's development server with reload. The interface is mounted by Next there.
import { install } from "./prepare.mjs";
import { bin, requireNode, run } from "./project.mjs";

requireNode();
await install({ withTools: true });
const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
await run(process.execPath, [bin("next"), "dev", "--port", PORT, "--hostname", HOST]);
