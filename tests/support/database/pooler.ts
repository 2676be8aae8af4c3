import { type AddressInfo, connect, createServer, type Socket } from "node:net";

const READY_FOR_QUERY = "Z".charCodeAt(0);
const IN_NO_TRANSACTION = "I".charCodeAt(0);

export interface Pooler {
  port: number;
  close: () => void;
}

/**
 * Starts a pooler in transaction mode, like pgbouncer: a client has a server session during its
 * transaction. Sessions are reused last in, first out.
 */
export async function startPooler(postgres: { port: number }): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const idle: Socket[] = [];
  const server = createServer((client) => {
    sockets.add(client);
    // Each client opens a session, which joins the pool afterwards.
    let session: Socket | null = connect(postgres.port, "127.0.0.1");
    sockets.add(session);
    const serve = (socket: Socket) => {
      socket.removeAllListeners("data");
      socket.on("data", (bytes: Buffer) => {
        client.write(bytes);
        if (!endsTransaction(bytes)) return;
        session = null;
        idle.push(socket);
      });
    };
    serve(session);
    client.on("data", (bytes: Buffer) => {
      if (session === null) {
        session = idle.pop() ?? null;
        if (session === null) throw new Error("the pool has no session left");
        serve(session);
      }
      session.write(bytes);
    });
    client.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Returns whether a response ends a transaction: its last message is ReadyForQuery in idle state. */
function endsTransaction(bytes: Buffer): boolean {
  const tail = bytes.subarray(-6);
  return tail[0] === READY_FOR_QUERY && tail[5] === IN_NO_TRANSACTION;
}
