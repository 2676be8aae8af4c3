"use server";

import { redirect } from "next/navigation";
import { runAction, readText } from "@/app/_lib/action";
import type { ActionState } from "@/components/ui/action-form";
import { readProof } from "@/app/_lib/read-proof";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import { readLimitTexts } from "@/app/(dashboard)/_limits/limits-request";
import { type KeyFormState, type MadeKey, OVERLAPS } from "@/app/(dashboard)/keys/key-form";
import { TRADING_SCOPES } from "@/lib/auth/principal";
import { AppError } from "@/lib/errors";
import { findActiveKey, findKeyOfForm, findRevokeWord } from "@/lib/auth/list-keys";
import { renameKey, revokeKey } from "@/lib/auth/manage-keys";
import { issueOwnKey, rotateOwnKey } from "@/lib/limits/own-keys";
import { parseLimitsForm } from "@/lib/limits/parse-limits-form";

const FORM_ID = /^[\w-]{1,64}$/;
const HOUR_MS = 3600 * 1000;

export async function createKeyAction(_: KeyFormState, form: FormData): Promise<KeyFormState> {
  return handOver(form, async () => {
    const session = await requireSessionInPageMode(form);
    const formId = parseFormId(readText(form, "form"));
    // A reload without JavaScript sends the form again, and its key can't be shown again.
    const before = await findKeyOfForm(session.principal.userId, formId);
    if (before !== null) redirect(`/keys?made=${before}`);
    const request = {
      formId,
      name: readText(form, "name"),
      scopes: readScopes(form),
      lifetime: readText(form, "lifetime"),
      limits: parseLimitsForm(readLimitTexts(form)),
    };
    const { apiKey, name } = await issueOwnKey(session, request, await readProof(form));
    return { apiKey, name, note: null };
  });
}

export async function rotateKeyAction(_: KeyFormState, form: FormData): Promise<KeyFormState> {
  return handOver(form, async () => {
    const session = await requireSessionInPageMode(form);
    const overlap = OVERLAPS.find(({ value }) => value === readText(form, "overlap"));
    if (!overlap) {
      throw new AppError("VALIDATION_ERROR", "Choose when the old key expires.", {
        field: "overlap",
      });
    }
    const old = await requireActive(session.principal.userId, readText(form, "keyId"));
    if (old.state === "ending") {
      throw new AppError("VALIDATION_ERROR", "This key was rotated already. Rotate the new one.");
    }
    const overlapMs = Number(overlap.value) * HOUR_MS;
    const proof = await readProof(form);
    const { apiKey } = await rotateOwnKey(session, old.id, { overlapMs, proof });
    const end =
      overlap.value === "0" ? "has stopped working" : `expires ${overlap.label.toLowerCase()}`;
    return { apiKey, name: old.name, note: `The old key ${end}.` };
  });
}

export async function renameKeyAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal, id: sessionId } = await requireSessionInPageMode(form);
    const key = await requireActive(principal.userId, readText(form, "keyId"));
    await renameKey(principal.userId, key.id, { name: readText(form, "name"), sessionId });
    redirect(`/keys?renamed=${key.id}`);
  });
}

export async function revokeKeyAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal, id } = await requireSessionInPageMode(form);
    const key = await requireActive(principal.userId, readText(form, "keyId"));
    const word = await findRevokeWord(principal.userId, key.id);
    if (readText(form, "name").trim() !== word) {
      throw new AppError("VALIDATION_ERROR", `Type the key’s name: ${word}`, { field: "name" });
    }
    await revokeKey(principal.userId, key.id, id);
    redirect(`/keys?revoked=${key.id}`);
  });
}

/** Creates a key and returns it only in this response. */
async function handOver(form: FormData, make: () => Promise<MadeKey>): Promise<KeyFormState> {
  const made: MadeKey[] = [];
  const state = await runAction(form, async () => {
    made.push(await make());
    return "";
  });
  const [key] = made;
  return key ? { status: "made", ...key } : state;
}

function parseFormId(text: string): string {
  if (FORM_ID.test(text)) return text;
  throw new AppError(
    "VALIDATION_ERROR",
    "This form is out of date. Reload the page and try again.",
  );
}

function readScopes(form: FormData): string[] {
  const access = readText(form, "access");
  if (access === "read") return ["read"];
  if (access === "trade") return [...TRADING_SCOPES];
  return form.getAll("scope").filter((scope) => typeof scope === "string");
}

async function requireActive(userId: string, keyId: string) {
  const key = await findActiveKey(userId, keyId);
  if (!key) throw new AppError("VALIDATION_ERROR", "This key is no longer active.");
  return key;
}
