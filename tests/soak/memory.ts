// What a process uses of memory, as its system and its own inspector tell.
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";

/** MiB. */
export interface MemorySample {
  minute: number;
  /** Null where the system does not tell. */
  rss: number | null;
  /** After a collection. */
  heap: number;
}

const MIB = 1024 * 1024;

/** Collects the garbage of a process that listens to its inspector, and measures what is left. */
export async function sampleMemory(
  { pid, inspectPort }: { pid: number; inspectPort: number },
  minute: number,
): Promise<MemorySample> {
  const heap = await heapAfterCollection(inspectPort);
  return { minute, rss: residentOf(pid), heap: Math.round(heap / MIB) };
}

function residentOf(pid: number): number | null {
  try {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}

async function heapAfterCollection(port: number): Promise<number> {
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
