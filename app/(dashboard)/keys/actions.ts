"use server";

import { redirect } from "next/navigation";
import { type ActionState, runAction, textOf } from "@/app/_lib/action";
import { requireSession } from "@/app/_lib/require-session";
import { type KeyFormState, type MadeKey, OVERLAPS } from "@/app/(dashboard)/keys/key-form";
import { SCOPES } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { issueKey } from "@/lib/services/keys/issue-key";
import { findActiveKey } from "@/lib/services/keys/list-keys";
import { renameKey } from "@/lib/services/keys/rename-key";
import { revokeKey } from "@/lib/services/keys/revoke-key";
import { rotateKey } from "@/lib/services/keys/rotate-key";

const HOUR_MS = 3600 * 1000;

export async function createKeyAction(_: KeyFormState, form: FormData): Promise<KeyFormState> {
  return handOver(form, async () => {
    const { principal, id } = await requireSession();
    const wish = {
      name: textOf(form, "name"),
      scopes: scopesOf(form),
      lifetime: textOf(form, "lifetime"),
    };
    const { apiKey, name } = await issueKey(principal, wish, id);
    return { apiKey, name, note: null };
  });
}

export async function rotateKeyAction(_: KeyFormState, form: FormData): Promise<KeyFormState> {
  return handOver(form, async () => {
    const { principal, id: sessionId } = await requireSession();
    const overlap = OVERLAPS.find(({ value }) => value === textOf(form, "overlap"));
    if (!overlap) {
      throw new AppError("VALIDATION_ERROR", "Choose when the old key ends.", { field: "overlap" });
    }
    const old = await requireActive(principal.userId, textOf(form, "keyId"));
    if (old.state === "ending") {
      throw new AppError(
        "VALIDATION_ERROR",
        "This key has been replaced before. Rotate the new one.",
      );
    }
    const overlapMs = Number(overlap.value) * HOUR_MS;
    const { apiKey } = await rotateKey(principal.userId, old.id, { overlapMs, sessionId });
    const end =
      overlap.value === "0" ? "has stopped working" : `ends ${overlap.label.toLowerCase()}`;
    return { apiKey, name: old.name, note: `The old key ${end}.` };
  });
}

export async function renameKeyAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal, id: sessionId } = await requireSession();
    const key = await requireActive(principal.userId, textOf(form, "keyId"));
    await renameKey(principal.userId, key.id, { name: textOf(form, "name"), sessionId });
    redirect(`/keys?renamed=${key.id}`);
  });
}

export async function revokeKeyAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal, id } = await requireSession();
    const key = await requireActive(principal.userId, textOf(form, "keyId"));
    if (textOf(form, "name").trim() !== key.name) {
      throw new AppError("VALIDATION_ERROR", `Type the key's name: ${key.name}`, { field: "name" });
    }
    await revokeKey(principal.userId, key.id, id);
    redirect(`/keys?revoked=${key.id}`);
  });
}

/** Runs what makes a key, and puts the key into the answer to this request and nowhere else. */
async function handOver(form: FormData, make: () => Promise<MadeKey>): Promise<KeyFormState> {
  const made: MadeKey[] = [];
  const state = await runAction(form, async () => {
    made.push(await make());
    return "";
  });
  const [key] = made;
  return key ? { status: "made", ...key } : state;
}

function scopesOf(form: FormData): string[] {
  const access = textOf(form, "access");
  if (access === "read") return ["read"];
  if (access === "trade") return [...SCOPES];
  return form.getAll("scope").filter((scope) => typeof scope === "string");
}

async function requireActive(userId: string, keyId: string) {
  const key = await findActiveKey(userId, keyId);
  if (!key) throw new AppError("VALIDATION_ERROR", "This key has ended already.");
  return key;
}
