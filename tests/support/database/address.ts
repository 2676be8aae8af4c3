import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** An address in front of a server, which moves to another one after a failover. */
export interface Address {
  port: number;
  /** Ends all connections. New ones reach the server at `port`. */
  moveTo: (port: number) => void;
  close: () => void;
}

/** Opens an address on loopback that forwards to the server at `target`. */
export async function openAddress(target: number): Promise<Address> {
  let current = target;
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(current, "127.0.0.1");
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (port) => {
      current = port;
      endAll();
    },
    close: () => {
      endAll();
      server.close();
    },
  };
}
