import { createHash } from "node:crypto";
import { computeAddress } from "ethers";
import { setClock } from "@/lib/clock";
import { withTransaction } from "@/lib/db/client";
import { insertUser } from "@/lib/db/queries/users";
import { deriveDepositWallet } from "@/lib/polymarket/protocol/wallets";
import { importLiveWallet } from "@/lib/accounts/change-live-wallet";

const TRADERS = 2;
let runs = 0;

/** Creates users with live wallets, always in the same order. */
export async function makeTraders(seed: number, at: number): Promise<string[]> {
  runs += 1;
  const restore = setClock(() => at);
  const userIds: string[] = [];
  for (let index = 0; index < TRADERS; index += 1) {
    const userId = `usr_${String(runs).padStart(6, "0")}_${index}`;
    const secret = createHash("sha256").update(`${seed}/${userId}`).digest("hex");
    const address = computeAddress(`0x${secret}`);
    const createdAt = new Date(at);
    await withTransaction((tx) =>
      insertUser(
        tx,
        {
          id: userId,
          email: `${userId}@example.test`,
          passwordHash: "",
          status: "active",
          epoch: 1,
          createdAt,
        },
        {
          userId,
          address,
          funderAddress: deriveDepositWallet(address),
          sealedKey: "",
          allowance: 0n,
          createdAt,
        },
      ),
    );
    const funder = deriveDepositWallet(address);
    await importLiveWallet(userId, { privateKey: secret, funder, signatureType: "3" });
    userIds.push(userId);
  }
  restore();
  return userIds;
}
