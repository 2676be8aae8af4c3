import "server-only";
import type { Server } from "node:http";
import { setImmediate as waitOneTurn } from "node:timers/promises";
import { ROUTE_MODULES } from "ante:routes";
import { env } from "@/lib/env";
import { createRouter } from "@/lib/api/router";
import { endStreams } from "@/lib/open-streams";
import { errorFields, log } from "@/lib/log";
import { renderBanner } from "@/lib/server/banner";
import { boot } from "@/lib/server/boot";
import { withFailedPage } from "@/lib/server/failed-html";
import { withMissingPage } from "@/lib/server/missing-page";
import { closeIdle, endKeepAlive } from "@/lib/server/in-flight";
import { createNodeServer, type PageHandler } from "@/lib/server/node-server";
import { makeSandboxSockets, type SandboxSockets } from "@/lib/server/sandbox-sockets";
import { onUpgrade } from "@/lib/server/upgrade";

/** Requests that still run after this are cut off. */
const DRAIN_MS = 12_000;
/** The process exits after this in any case. It is safe, because a killed process loses nothing. */
const EXIT_MS = 14_000;
const SWEEP_MS = 50;
/** Turns of the event loop in which everything that has arrived is accepted and read. */
const TURNS_TO_READ = 10;

/** Starts the service on HOST and PORT. Stops it on SIGTERM or SIGINT. */
export async function serve(pages: PageHandler): Promise<void> {
  const stopRequested = waitForStopSignal();
  const { HOST, PORT } = env();
  const shutDown = await boot();
  const server = createNodeServer(
    createRouter(ROUTE_MODULES),
    withFailedPage(withMissingPage(pages)),
    HOST,
  );
  const sockets = makeSandboxSockets();
  onUpgrade(server, sockets.handle);
  await listen(server, PORT, HOST);
  void stopRequested.then(() => stop(server, sockets, shutDown));
  process.stdout.write(await renderBanner());
}

/**
 * Resolves at the first stop signal and ignores later ones. npm forwards a signal that the process
 * group already received, and a closing terminal sends another.
 */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isRequested = false;
    const request = () => {
      if (isRequested) return;
      isRequested = true;
      setTimeout(() => {
        log.warn("shutdown timed out");
        process.exit(0);
      }, EXIT_MS).unref();
      process.on("SIGHUP", () => undefined);
      resolve();
    };
    // `on`, not `once`: a signal without a listener ends the process immediately.
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, request);
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

/** Stops accepting requests, lets running ones finish, closes the database and exits. */
async function stop(
  server: Server,
  sockets: SandboxSockets,
  shutDown: () => Promise<void>,
): Promise<void> {
  log.info("shutting down");
  // A request that arrived before the signal must be answered, even if it has not been read yet.
  for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await waitOneTurn();
  endKeepAlive();
  endStreams();
  const socketsClosed = sockets.close();
  const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  cutOff.unref();
  const closed = new Promise((resolve) => server.close(resolve));
  closeIdle();
  // A kept-alive connection becomes idle only after its last response.
  const sweep = setInterval(closeIdle, SWEEP_MS);
  await closed;
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
