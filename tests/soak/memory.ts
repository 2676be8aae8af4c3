// Measures a process's memory through the system and its inspector.
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";

/** In MiB. */
export interface MemorySample {
  minute: number;
  /** Null if the system does not report it. */
  rss: number | null;
  /** After a garbage collection. */
  heap: number;
}

const MIB = 1024 * 1024;

/** Collects the garbage of a process through its inspector, and measures its memory. */
export async function sampleMemory(
  { pid, inspectPort }: { pid: number; inspectPort: number },
  minute: number,
): Promise<MemorySample> {
  const heap = await readHeapAfterCollection(inspectPort);
  return { minute, rss: readResident(pid), heap: Math.round(heap / MIB) };
}

function readResident(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}

async function readHeapAfterCollection(port: number): Promise<number> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await listed.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const ask = (id: number, method: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      socket.on("message", (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as { id?: number; result?: typeof result };
        const result: Record<string, unknown> = answer.result ?? {};
        if (answer.id === id) resolve(result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  try {
    await ask(1, "HeapProfiler.collectGarbage");
    return Number((await ask(2, "Runtime.getHeapUsage"))["usedSize"]);
  } finally {
    socket.close();
  }
}
