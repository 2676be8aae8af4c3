import "server-only";
import type { Server } from "node:http";
import { ROUTE_MODULES, SANDBOX_FILES } from "ante:routes";
import { env } from "@/lib/env";
import { createLane } from "@/lib/http/lane";
import { endStreams } from "@/lib/http/open-streams";
import { errorFields, log } from "@/lib/log";
import { banner } from "@/lib/server/banner";
import { boot } from "@/lib/server/boot";
import { withFailedPage } from "@/lib/server/failed-page";
import { endKeepAlive } from "@/lib/server/in-flight";
import { createNodeServer, type PageHandler } from "@/lib/server/node-server";
import { makeSandboxSockets, type SandboxSockets } from "@/lib/server/sandbox-sockets";
import { onUpgrade } from "@/lib/server/upgrade";

/** Requests still open after this are cut off, so that the process ends within 15 s. */
const DRAIN_MS = 12_000;
const IDLE_SWEEP_MS = 50;

/** Starts the service on HOST and PORT, and stops it on SIGTERM or SIGINT. */
export async function serve(pages: PageHandler): Promise<void> {
  const { HOST, PORT } = env();
  const shutDown = await boot();
  const server = createNodeServer(
    createLane(ROUTE_MODULES, SANDBOX_FILES),
    withFailedPage(pages),
    HOST,
  );
  const sockets = makeSandboxSockets();
  onUpgrade(server, sockets.handle);
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void stop(server, sockets, shutDown));
  }
  await listen(server, PORT, HOST);
  process.stdout.write(await banner());
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

/** Stops accepting, lets what is in flight finish, closes the database, ends the process. */
async function stop(
  server: Server,
  sockets: SandboxSockets,
  shutDown: () => Promise<void>,
): Promise<void> {
  log.info("shutting down");
  endKeepAlive();
  endStreams();
  const socketsClosed = sockets.close();
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  cutOff.unref();
  // A connection kept alive becomes idle only when its last request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  try {
    await socketsClosed;
    await shutDown();
    process.exit(0);
  } catch (error) {
    log.error("shutdown failed", errorFields(error));
    process.exit(1);
  }
}
