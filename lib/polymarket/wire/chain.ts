import "server-only";
import { z } from "zod";

/** The responses to a batch of JSON-RPC calls. A failed one has an error instead of a result. */
export const WireRpcResults = z.array(z.object({ id: z.int(), result: z.unknown() }));

/** A number that a contract returns: `0x` and 32 bytes. */
export const WireWord = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform(BigInt);

const Quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,16}$/)
  .transform(Number);
const Bytes = z.string().regex(/^0x([0-9a-fA-F]{2})*$/);

/** A block; its timestamp is in seconds. */
export const WireBlock = z.object({ number: Quantity, timestamp: Quantity });

/** The events of a filter. */
export const WireLogs = z.array(
  z.object({ address: Bytes, topics: z.array(Bytes), data: Bytes, transactionHash: Bytes }),
);

/** The receipt of a transaction that was executed and not reverted; null if the node does not have it. */
export const WireReceipt = z.object({ status: z.literal("0x1"), logs: WireLogs }).nullable();

/** A transaction with the bytes that it was sent with. */
export const WireSentTransaction = z.object({ input: Bytes });
