import "server-only";
import { clientAddress } from "@/lib/auth/client-address";
import { SandboxError } from "@/lib/sandbox/error";

/** Items that one address may have waiting: five of the largest requests. */
const MAX_WAITING = 2_500;

/** A caller of market data. Its reads take turns with those of other addresses. */
export interface Asker {
  address: string;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
}

export function toAsker(request: Request): Asker {
  return {
    address: clientAddress(request.headers),
    // A getter: reading the signal is costly, and most calls don't need it.
    get signal() {
      return request.signal;
    },
  };
}

/** The asker for the streams' own reads. Their number does not grow with requests. */
export const STREAMS = { address: "the streams", signal: null } as const;

interface Job {
  /** Reads one item. Never throws. */
  step: () => Promise<void>;
  itemsLeft: number;
}

/** The jobs of each address. The address whose turn is next comes first. */
const lines = new Map<string, Job[]>();
let isWorking = false;

/**
 * Runs costly reads one at a time, round robin over addresses, and yields to other work after each
 * item. Otherwise one large request would delay every order, and one address all others. Drops
 * reads whose client is gone.
 *
 * @throws 429 when too many items of the address are waiting.
 */
export function readInTurn<T, R>(
  asker: Asker | typeof STREAMS,
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const { address, signal } = asker;
  const line = lines.get(address) ?? [];
  const waiting = line.reduce((sum, { itemsLeft }) => sum + itemsLeft, 0);
  if (signal !== null && waiting + items.length > MAX_WAITING) {
    throw new SandboxError(429, "Too Many Requests");
  }
  if (items.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const results: R[] = [];
    const end = (finish: () => void) => {
      job.itemsLeft = 0;
      signal?.removeEventListener("abort", drop);
      finish();
    };
    const drop = () => end(() => reject(new SandboxError(499, "the client is gone")));
    const job: Job = {
      itemsLeft: items.length,
      step: async () => {
        try {
          const item = items[results.length];
          if (item === undefined) throw new Error("a job ends with its last item");
          results.push(await read(item));
          if (job.itemsLeft === 0) return;
          job.itemsLeft -= 1;
          if (job.itemsLeft === 0) end(() => resolve(results));
        } catch (error) {
          end(() => reject(error as Error));
        }
      },
    };
    if (signal?.aborted) return drop();
    signal?.addEventListener("abort", drop);
    lines.set(address, [...line, job]);
    if (!isWorking) void work();
  });
}

async function work(): Promise<void> {
  isWorking = true;
  for (let next = takeTurn(); next !== null; next = takeTurn()) {
    await next.step();
    await new Promise((resolve) => setImmediate(resolve));
  }
  isWorking = false;
}

/** Takes the oldest job of the address that has waited longest. */
function takeTurn(): Job | null {
  for (const [address, line] of lines) {
    lines.delete(address);
    const [job, ...others] = line.filter(({ itemsLeft }) => itemsLeft > 0);
    if (!job) continue;
    lines.set(address, [...others, job]);
    return job;
  }
  return null;
}
