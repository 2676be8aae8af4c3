import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runVerb } from "@/lib/cli/admin-verbs";
import { openTrader } from "@/lib/custody/trader";
import { useFreshDatabase } from "@/tests/support/database/fresh-database";
import { createOwner } from "@/tests/support/live/wallets";
import { captureOutput } from "@/tests/support/output";
import { makeUser } from "@/tests/support/users";

// A verb closes the process's database, but these tests keep using it.
vi.mock("@/lib/db/client", async (importOriginal) => ({
  ...(await importOriginal<typeof import("@/lib/db/client")>()),
  closeDatabase: async () => undefined,
}));
useFreshDatabase();

const FOLDER = mkdtempSync(join(tmpdir(), "ante-wallet-"));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));
function keyFile(privateKey: string, mode = 0o600): string {
  const path = join(FOLDER, `${privateKey.slice(-8)}.key`);
  writeFileSync(path, `${privateKey}\n`);
  chmodSync(path, mode);
  return path;
}

function runImport(options: Record<string, string>) {
  // An empty value stands for an option without one.
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === "" ? [`--${name}`] : [`--${name}`, value],
  );
  return captureOutput(() => runVerb(["wallet:import", ...flags, "--json"]));
}

describe("wallet:import", () => {
  it("imports the wallet and prints one document with its addresses", async () => {
    const { userId } = await makeUser();
    const { privateKey, address, funders } = createOwner();
    const output = await runImport({
      user: userId,
      "private-key-file": keyFile(privateKey),
      funder: funders[3],
      "signature-type": "3",
    });
    expect({ ...output, stdout: JSON.parse(output.stdout) }).toEqual({
      code: 0,
      stdout: { address, funderAddress: funders[3], sessionKey: null },
      stderr: "",
    });
    expect(await openTrader(userId)).toMatchObject({ address, signatureType: 3 });
  });

  it("imports a session key with its end and the scope CLOB", async () => {
    const { userId } = await makeUser();
    const [session, owner] = [createOwner(), createOwner()];
    const expiresAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 86_400_000).toISOString();
    const output = await runImport({
      user: userId,
      "private-key-file": keyFile(session.privateKey),
      funder: owner.funders[3],
      "session-key": "",
      expires: expiresAt,
    });
    const sessionKey = { scopes: ["CLOB"], expiresAt };
    const addresses = { address: session.address, funderAddress: owner.funders[3] };
    expect({ ...output, stdout: JSON.parse(output.stdout) }).toEqual({
      code: 0,
      stdout: { ...addresses, sessionKey },
      stderr: "",
    });
    expect(await openTrader(userId)).toMatchObject({ ...addresses, signatureType: 3 });
  });

  it("warns if other users can read the file", async () => {
    const { userId } = await makeUser();
    const { privateKey, funders } = createOwner();
    const file = keyFile(privateKey, 0o644);
    const options = { user: userId, "private-key-file": file, funder: funders[0] };
    const output = await runImport({ ...options, "signature-type": "0" });
    expect(output).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("other users can read"),
    });
  });

  it.each([
    [
      "another owner's funder",
      { funder: createOwner().funders[3] },
      "The deposit wallet of this private key is 0x",
    ],
    ["an unknown type", { "signature-type": "7" }, "Choose the kind of wallet"],
    [
      "a session key without its end",
      { "session-key": "", funder: createOwner().funders[3] },
      "--expires: is required",
    ],
    ["an end without a session key", { expires: "2030-01-01" }, "belong to --session-key"],
    ["no such user", { user: "usr_nobody" }, "There is no user usr_nobody"],
    ["no such file", { "private-key-file": join(FOLDER, "missing") }, "no such file"],
  ])("rejects %s with exit code 1 and stores nothing", async (_what, change, words) => {
    const { userId } = await makeUser();
    const { privateKey, funders } = createOwner();
    const options = { user: userId, "private-key-file": keyFile(privateKey), funder: funders[3] };
    const output = await runImport({ ...options, "signature-type": "3", ...change });
    expect(output).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(words) });
    expect(output.stderr).not.toContain(privateKey.slice(2));
    expect(await openTrader(userId)).toBeNull();
  });
});
