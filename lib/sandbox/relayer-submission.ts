import "server-only";
import { getAddress, isAddress, isHexString, ZeroAddress } from "ethers";
import { z } from "zod";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import type { ProxyTransaction } from "@/lib/polymarket/protocol/proxy-transaction";
import type { DepositWalletBatch } from "@/lib/polymarket/protocol/relayer-batch";
import type { SafeTransaction } from "@/lib/polymarket/protocol/safe-transaction";
import { SandboxError } from "@/lib/sandbox/error";

/** The body of `POST /submit`, read (polymarket-wallets.md 3). */
export type Submission =
  | (Signed & { type: "WALLET"; transaction: DepositWalletBatch })
  | (Signed & { type: "SAFE"; transaction: SafeTransaction })
  | (Signed & { type: "PROXY"; transaction: ProxyTransaction; wallet: string })
  | { type: "WALLET-CREATE"; from: string; metadata: string }
  | { type: "SAFE-CREATE"; from: string; wallet: string; signature: string; metadata: string };

interface Signed {
  from: string;
  nonce: bigint;
  signature: string;
  metadata: string;
}

const MAX_METADATA = 500;
const MAX_CALLS = 100;

const Address = z
  .string()
  .refine((text) => isAddress(text))
  .transform((text) => getAddress(text));
/** An address that can be only this one. */
const only = (address: string) => Address.refine((given) => given === address);
/** A uint256 as decimal text. */
const Uint = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .transform(BigInt)
  .refine((value) => value < 2n ** 256n);
const Zero = z.literal("0");
const Bytes = z.string().refine((text) => isHexString(text) && text.length % 2 === 0);
const Metadata = z.string().max(MAX_METADATA).default("");

const SignedFields = { from: Address, nonce: Uint, signature: Bytes, metadata: Metadata };

const Batch = z.object({
  type: z.literal("WALLET"),
  ...SignedFields,
  to: only(CONTRACT.depositWalletFactory),
  depositWalletParams: z.object({
    depositWallet: Address,
    deadline: Uint,
    calls: z
      .array(z.object({ target: Address, value: Uint, data: Bytes }))
      .min(1)
      .max(MAX_CALLS),
  }),
});
const Safe = z.object({
  type: z.literal("SAFE"),
  ...SignedFields,
  to: Address,
  proxyWallet: Address,
  data: Bytes,
  signatureParams: z.object({
    operation: z.enum(["0", "1"]),
    safeTxnGas: Zero,
    baseGas: Zero,
    gasPrice: Zero,
    gasToken: only(ZeroAddress),
    refundReceiver: only(ZeroAddress),
  }),
});
const Proxy = z.object({
  type: z.literal("PROXY"),
  ...SignedFields,
  to: only(CONTRACT.proxyFactory),
  proxyWallet: Address,
  data: Bytes,
  signatureParams: z.object({
    gasLimit: Uint,
    gasPrice: Zero,
    relayerFee: Zero,
    relayHub: only(CONTRACT.relayHub),
    relay: Address,
  }),
});
const WalletCreation = z.object({
  type: z.literal("WALLET-CREATE"),
  from: Address,
  to: only(CONTRACT.depositWalletFactory),
  metadata: Metadata,
});
const SafeCreation = z.object({
  type: z.literal("SAFE-CREATE"),
  from: Address,
  to: only(CONTRACT.safeFactory),
  proxyWallet: Address,
  data: z.literal("0x"),
  signature: Bytes,
  signatureParams: z.object({
    paymentToken: only(ZeroAddress),
    payment: Zero,
    paymentReceiver: only(ZeroAddress),
  }),
  metadata: Metadata,
});

const Body = z.discriminatedUnion("type", [Batch, Safe, Proxy, WalletCreation, SafeCreation]);

/** Reads the body of `POST /submit`. Throws 400. */
export function readSubmission(text: string): Submission {
  const parsed = Body.safeParse(parseJson(text));
  if (parsed.success) return toSubmission(parsed.data);
  throw new SandboxError(400, "invalid transaction request payload");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toSubmission(body: z.output<typeof Body>): Submission {
  const { from, metadata } = body;
  switch (body.type) {
    case "WALLET-CREATE":
      return { type: body.type, from, metadata };
    case "SAFE-CREATE":
      return {
        type: body.type,
        from,
        metadata,
        wallet: body.proxyWallet,
        signature: body.signature,
      };
    case "WALLET": {
      const { depositWallet: wallet, deadline, calls } = body.depositWalletParams;
      const { type, nonce, signature } = body;
      const transaction = { wallet, nonce, deadline, calls };
      return { type, from, nonce, signature, metadata, transaction };
    }
    case "SAFE": {
      const { type, nonce, signature, proxyWallet: safe, to, data } = body;
      const operation = body.signatureParams.operation === "1" ? 1 : 0;
      const transaction = { safe, to, value: 0n, data, operation, nonce } as const;
      return { type, from, nonce, signature, metadata, transaction };
    }
    case "PROXY": {
      const { type, nonce, signature, proxyWallet: wallet, data } = body;
      const { gasLimit, relay } = body.signatureParams;
      const transaction = { from, data, gasLimit, nonce, relay };
      return { type, from, nonce, signature, metadata, transaction, wallet };
    }
  }
}
