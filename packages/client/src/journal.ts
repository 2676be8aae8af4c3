/** A write that is on its way. It has all that is needed to repeat it. */
export interface JournalEntry {
  idempotencyKey: string;
  operation: "placeOrder" | "splitPosition" | "mergePositions";
  /** The request as it was made, without the key. */
  body: Record<string, unknown>;
  baseUrl: string;
  /** The public part of the API key. Another account would place the order again. */
  keyId: string;
  createdAt: string;
}

/** How a write ended. */
export type Outcome =
  | { status: "accepted"; data: Record<string, unknown> }
  | { status: "refused"; code: string; message: string };

/**
 * Remembers writes until their outcome is known, so that a program that dies can finish them. A database
 * is one, with `begin` as an insert and `settle` as an update.
 */
export interface Journal {
  /** Called before the first attempt, which waits for it. The entry must be durable when it returns. */
  begin(entry: JournalEntry): void | Promise<void>;
  /** Called when the outcome is known. Until then the write is unsettled. */
  settle(idempotencyKey: string, outcome: Outcome): void | Promise<void>;
  /** Lists what is not settled, oldest first. `orders.resume()` needs it. */
  listUnsettled?(): JournalEntry[] | Promise<JournalEntry[]>;
}

/** A journal of this process or machine. */
export interface LocalJournal extends Journal {
  listUnsettled(): JournalEntry[];
}

/** The journal of a program that needs none after its end. */
export function memoryJournal(): LocalJournal {
  const unsettled = new Map<string, JournalEntry>();
  return {
    begin: (entry) => void unsettled.set(entry.idempotencyKey, entry),
    settle: (idempotencyKey) => void unsettled.delete(idempotencyKey),
    listUnsettled: () => [...unsettled.values()],
  };
}
