// Faults of one user's calls, because the cases of a fault matrix run concurrently.
import { afterAll } from "vitest";
import type { Fault, FaultServer, VenueCall } from "@/tests/support/live/fault-server";

/** Chooses the fault of a call; null for none. */
export type ChooseFault = (call: VenueCall) => Fault | null;

export interface Troubles {
  set(owner: string, choose: ChooseFault): void;
  /** Ends a user's faults for new calls. */
  heal(owner: string): void;
  /**
   * Waits for a user's started faults: some deliver the request long after their response. Returns how many
   * calls had a fault.
   */
  finish(owner: string): Promise<number>;
}

/** Gives calls of the venue the faults of their users. Call it at the top of a test file. */
export function useTroubles(venue: FaultServer): Troubles {
  const troubles = new Map<string, ChooseFault>();
  const begun = new Map<string, Promise<void>[]>();
  venue.fault = (call) => {
    const { owner } = call;
    const fault = troubles.get(owner)?.(call) ?? null;
    if (!fault) return null;
    return (handle, answer) => {
      const work = fault(handle, answer);
      begun.set(owner, [...(begun.get(owner) ?? []), work]);
      return work;
    };
  };
  afterAll(() => Promise.all([...begun.values()].flat()));
  return {
    set: (owner, choose) => void troubles.set(owner.toLowerCase(), choose),
    heal: (owner) => void troubles.delete(owner.toLowerCase()),
    finish: async (owner) => (await Promise.all(begun.get(owner.toLowerCase()) ?? [])).length,
  };
}

/** The posts of an order that fail. */
export const POST_MOMENTS = [
  "the first post",
  "every post until the request is repeated",
  "every post after a lost one",
] as const;

const LOST: Fault = async (_, { drop }) => drop();

export const isPost = ({ method, path }: VenueCall): boolean =>
  path === "/clob/order" && method === "POST";

/** Gives posts a fault at a moment. */
export function failPosts(moment: string, fault: Fault): ChooseFault {
  let count = 0;
  return (call) => {
    if (!isPost(call)) return null;
    count += 1;
    if (moment === POST_MOMENTS[0]) return count === 1 ? fault : null;
    return moment === POST_MOMENTS[2] && count === 1 ? LOST : fault;
  };
}
