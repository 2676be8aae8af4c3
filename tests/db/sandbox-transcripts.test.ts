// What unmodified official clients sent to the relayer and to a node, byte for byte.
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { getDb, withTransaction } from "@/lib/db/client";
import { lockWallet, markDeployed } from "@/lib/db/queries/sandbox-transactions";
import { sandboxApprovals, sandboxWallets } from "@/lib/db/schema/sandbox";
import { createRelayerKey } from "@/lib/sandbox/relayer-keys";
import { answerSandbox } from "@/lib/sandbox/router";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { useTestClock } from "@/tests/support/exchange/orders";
import { readRecorded } from "@/tests/support/polymarket/recorded-data";

interface Call {
  service: "rpc" | "relayer" | "gamma";
  method: string;
  path: string;
  query: Record<string, string[]>;
  headers?: Record<string, string>;
  body?: unknown;
  status: number;
  response: Record<string, string> & { error?: string };
}
interface Transcript {
  name: string;
  walletType: "DEPOSIT" | "SAFE" | "PROXY";
  wallet: string;
  clockMs: number;
  calls: Call[];
}

const { vectors } = readRecorded<{ vectors: Transcript[] }>("relayer/transcripts.json");
const { vectors: builders } = readRecorded<{
  vectors: { key: string; secret: string; passphrase: string }[];
}>("relayer/builder_hmac.json");
const [builder] = builders;
/** The nonce of every recorded transaction. */
const NONCE = 7n;

process.env["SANDBOX_RULES"] = "strict";
process.env["SANDBOX_RELAYER_MS"] = "0";
process.env["SANDBOX_RELAYER_QUOTA"] = "0";
process.env["SANDBOX_BUILDER_KEY"] = `${builder?.key}:${builder?.secret}:${builder?.passphrase}`;
useFreshDatabase();
const clock = useTestClock();

async function prepare({ wallet, clockMs }: Transcript, nonce = NONCE) {
  clock.set(clockMs);
  await withTransaction(async (tx) => {
    const address = wallet.toLowerCase();
    await lockWallet(tx, address);
    await markDeployed(tx, address, new Date(clockMs));
    await tx.update(sandboxWallets).set({ nonce }).where(eq(sandboxWallets.address, address));
  });
}

/** The recorded relayer keys are not the sandbox's, unlike the builder's key, which is configured. */
function toOwnKey(headers: Record<string, string> = {}): Record<string, string> {
  const owner = headers["relayer_api_key_address"];
  return owner ? { relayer_api_key: createRelayerKey({ owner }).apiKey } : {};
}

async function replay(call: Call, headers: Record<string, string> = {}) {
  const { service, method, path, query, body } = call;
  const url = new URL(`http://localhost/sandbox/${service}${path === "/" ? "" : path}`);
  for (const [name, values] of Object.entries(query)) {
    for (const value of values) url.searchParams.append(name, value);
  }
  const response = await answerSandbox(
    new Request(url, {
      method,
      headers: { ...call.headers, ...toOwnKey(call.headers), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json() };
}

const isRefused = ({ name }: Transcript) => name.includes("refused");
const isCombo = ({ name }: Transcript) => name.includes("combo legs");
const isSubmit = ({ path }: Call) => path === "/submit";
const find = (transcript: Transcript, fits: (call: Call) => boolean): Call => {
  const call = transcript.calls.find(fits);
  if (!call) throw new Error(`${transcript.name} has no such call`);
  return call;
};
const findTranscript = (name: string) => {
  const transcript = vectors.find((one) => one.name.includes(name));
  if (!transcript) throw new Error(`no transcript ${name}`);
  return transcript;
};

describe("the relayer and the node", () => {
  beforeEach(async () => {
    await (await getDb()).delete(sandboxApprovals);
  });

  it("have recorded transcripts of every kind of wallet", () => {
    expect(new Set(vectors.map(({ walletType }) => walletType)).size).toBe(3);
    expect(vectors).toHaveLength(30);
  });

  it.each(vectors.filter((one) => one.name.includes("setupTradingApprovals")))(
    "give the recorded responses to the approvals of a $walletType, then say that none is missing",
    async (transcript) => {
      await prepare(transcript);
      const rpc = transcript.calls.filter(({ service }) => service === "rpc");
      for (const call of rpc) expect((await replay(call)).body).toEqual(call.response);
      const submit = await replay(find(transcript, isSubmit));
      expect(submit.status).toBe(200);
      const { body } = await replay({
        ...find(transcript, ({ path }) => path.includes("/transactions/params")),
      });
      expect(body.nonce).toBe("8");
      const [reads] = rpc;
      if (!reads) throw new Error("the client reads its approvals");
      const approved = (await replay(reads)).body as { result: string }[];
      expect(approved).toHaveLength(15);
      expect(approved.map(({ result }) => BigInt(result) > 0n)).toEqual(approved.map(() => true));
    },
  );

  it.each(vectors.filter((one) => !isRefused(one)))(
    "give the recorded parameters for $name of a $walletType",
    async (transcript) => {
      await prepare(transcript);
      const call = find(transcript, ({ path }) => path.includes("/transactions/params"));
      expect(await replay(call)).toEqual({ status: 200, body: call.response });
    },
  );

  it.each(vectors.filter((one) => !isRefused(one)))(
    "accept the recorded bytes of $name of a $walletType, unless they are a combo's",
    async (transcript) => {
      await prepare(transcript);
      const submit = find(transcript, isSubmit);
      const { status, body } = await replay(submit);
      if (isCombo(transcript)) {
        expect(status).toBe(400);
        expect(body.error).toMatch(/^call blocked: call\[0\] blocked: calls to 0x3000/);
        return;
      }
      expect(status).toBe(200);
      const shown = await answerSandbox(
        new Request(`http://localhost/sandbox/relayer/transaction?id=${body.transactionID}`),
      );
      const [{ state }] = await shown.json();
      // The recorded conditions are not markets of the sandbox.
      const isApproval = transcript.name.includes("setupTradingApprovals");
      expect(state).toBe(isApproval ? "STATE_CONFIRMED" : "STATE_FAILED");
    },
  );

  it("refuse a stale nonce in the recorded words", async () => {
    const transcript = findTranscript("stale nonce");
    await prepare(transcript, NONCE + 1n);
    const call = find(transcript, isSubmit);
    expect(await replay(call)).toEqual({ status: call.status, body: call.response });
  });

  it.each([
    ["wallet busy", "wallet-busy"],
    ["quota (429)", "quota"],
  ])("refuse with the recorded words when X-Rehearse simulates: %s", async (name, fault) => {
    const transcript = findTranscript(name);
    await prepare(transcript);
    const call = find(transcript, isSubmit);
    const { status, body } = await replay(call, { "X-Rehearse": fault });
    const withoutSeconds = (text: string) => text.replace(/\d+ seconds/, "N seconds");
    expect({ status, error: withoutSeconds(body.error) }).toEqual({
      status: call.status,
      error: withoutSeconds(call.response.error ?? ""),
    });
  });
});
