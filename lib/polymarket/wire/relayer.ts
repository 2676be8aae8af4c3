import "server-only";
import { z } from "zod";

/** The next nonce of a wallet. Some responses have a number instead of a text. */
export const WireNonce = z.object({
  address: z.string().nullish(),
  nonce: z
    .union([z.string().regex(/^\d{1,78}$/), z.int().min(0)])
    .transform((text) => BigInt(text)),
});

const State = z.string().min(1);
const Hash = z.string().nullish();

/** The response to a submission, and an item of the list of transactions. */
export const WireTransaction = z.object({
  transactionID: z.string().min(1),
  transactionHash: Hash,
  state: State,
  errorMsg: z.string().nullish(),
});

/** An item of the list, with what identifies a submission. Its other fields are not needed. */
export const WireListedTransaction = WireTransaction.extend({
  from: z.string().nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  metadata: z.string().nullish(),
});

/** The status of one transaction. */
export const WireTransactionStatus = z.object({
  transaction_id: z.string().min(1),
  transaction_hash: Hash,
  state: State,
  error_msg: z.string().nullish(),
});

/** The field that the submissions of all kinds of wallets have. */
export const WireSignedBody = z.object({ signature: z.string().regex(/^0x[0-9a-fA-F]{130,}$/) });

/** A refusal; the relayer also answers with plain text. */
export const WireRefusal = z.object({ error: z.string() });
