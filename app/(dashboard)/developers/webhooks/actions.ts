"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { readText, runAction } from "@/app/_lib/action";
import { readProof } from "@/app/_lib/read-proof";
import { requireSessionInPageMode } from "@/app/_lib/require-session";
import {
  type MadeSecret,
  typeField,
  type WebhookFormState,
} from "@/app/(dashboard)/developers/webhooks/webhook-form-state";
import type { ButtonState } from "@/components/developers/action-button";
import { formatCount } from "@/components/format/numbers";
import type { ActionState } from "@/components/ui/action-form";
import type { Principal } from "@/lib/auth/principal";
import { ACCOUNT_EVENT_TYPES, type AccountEventType } from "@/lib/domain/account-events";
import { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/schemas/envelope";
import { ReplayCursor } from "@/lib/schemas/parameters";
import { ChangeWebhookBody, CreateWebhookBody, type WebhookAttempt } from "@/lib/schemas/webhooks";
import { getDeliveryQueue, resendDelivery } from "@/lib/webhooks/list-deliveries";
import {
  deleteWebhook,
  getWebhook,
  replayEvents,
  testWebhook,
} from "@/lib/webhooks/manage-webhooks";
import { changeOwnWebhook, createOwnWebhook, rotateOwnWebhook } from "@/lib/webhooks/own-webhooks";

const LIST = "/developers/webhooks";
const AFTER_CHANGE = {
  active: "The endpoint is active.",
  pending: "The endpoint did not acknowledge the test message, so it stays pending.",
  disabled: "The endpoint is disabled. Events wait until you resume it.",
} as const;
const ReplayFields = z.object({ after: ReplayCursor });

export async function createWebhookAction(
  _: WebhookFormState,
  form: FormData,
): Promise<WebhookFormState> {
  return handOver(form, async () => {
    const session = await requireSessionInPageMode(form);
    const body = parseInput(CreateWebhookBody, readFields(form));
    const created = await createOwnWebhook(session, body, await readProof(form));
    const { id, secret, status } = created.webhook;
    const isActive = status === "active";
    const note = isActive
      ? "It acknowledged a test message and gets events from now on."
      : `${describeTest(false, created.attempt)} Send a test from its page once the secret is in place. It then gets every event since now.`;
    return { webhookId: id, secret, note, isActive };
  });
}

export async function rotateWebhookAction(
  _: WebhookFormState,
  form: FormData,
): Promise<WebhookFormState> {
  return handOver(form, async () => {
    const session = await requireSessionInPageMode(form);
    const webhookId = readText(form, "webhookId");
    const rotated = await rotateOwnWebhook(session, webhookId, await readProof(form));
    const { id, secret, status } = rotated;
    const note = "The former secret signs too, for 24 hours. Then only the new one does.";
    return { webhookId: id, secret, note, isActive: status === "active" };
  });
}

export async function editWebhookAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const session = await requireSessionInPageMode(form);
    const body = parseInput(ChangeWebhookBody, readFields(form));
    const webhookId = readText(form, "webhookId");
    const { id } = await changeOwnWebhook(session, webhookId, body, await readProof(form));
    redirect(`${LIST}/${id}`);
  });
}

export async function setWebhookStatusAction(_: unknown, form: FormData): Promise<ButtonState> {
  return runWithWarning(form, async (warn) => {
    const session = await requireSessionInPageMode(form);
    const body = parseInput(ChangeWebhookBody, { status: readText(form, "status") });
    const webhookId = readText(form, "webhookId");
    const { status } = await changeOwnWebhook(session, webhookId, body, await readProof(form));
    if (status === "pending") warn();
    return showAgain(AFTER_CHANGE[status]);
  });
}

export async function testWebhookAction(_: unknown, form: FormData): Promise<ButtonState> {
  return runWithWarning(form, async (warn) => {
    const { principal } = await requireSessionInPageMode(form);
    const { acknowledged, attempt } = await testWebhook(principal, readText(form, "webhookId"));
    if (!acknowledged) warn();
    return showAgain(describeTest(acknowledged, attempt));
  });
}

export async function replayWebhookAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const { data } = ReplayFields.safeParse({ after: readText(form, "after").trim() });
    if (data?.after === undefined) {
      const message = "Enter the number of an event, such as 0 or 42.";
      throw new AppError("VALIDATION_ERROR", message, { field: "after" });
    }
    const webhookId = readText(form, "webhookId");
    await requireActive(principal, webhookId);
    const { events } = await replayEvents(principal, webhookId, data.after);
    return showAgain(
      `${events === 1 ? "1 event" : `${formatCount(events)} events`} will be sent again.`,
    );
  });
}

export async function resendDeliveryAction(_: unknown, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    const [webhookId, deliveryId] = [readText(form, "webhookId"), readText(form, "deliveryId")];
    await resendDelivery(principal, webhookId, deliveryId);
    const { first } = await getDeliveryQueue(principal, webhookId);
    const isHeld = first !== null && first.id !== deliveryId;
    return showAgain(
      `The event will be sent again ${isHeld ? `after event ${first.seq}` : "within a second"}.`,
    );
  });
}

export async function deleteWebhookAction(_: ActionState, form: FormData): Promise<ActionState> {
  return runAction(form, async () => {
    const { principal } = await requireSessionInPageMode(form);
    if (readText(form, "confirm").trim() !== "DELETE") {
      throw new AppError("VALIDATION_ERROR", "Type DELETE.", { field: "confirm" });
    }
    await deleteWebhook(principal, readText(form, "webhookId"));
    redirect(`${LIST}?deleted=1`);
  });
}

/** A replay to an endpoint that gets no events would only say that it sends them. */
async function requireActive(principal: Principal, webhookId: string): Promise<void> {
  if ((await getWebhook(principal, webhookId)).status === "active") return;
  throw new AppError(
    "VALIDATION_ERROR",
    "You can replay events once the endpoint is active. Reload this page.",
  );
}

/** Runs an action whose message can be a warning: the service did it, but the endpoint refused. */
async function runWithWarning(
  form: FormData,
  work: (warn: () => void) => Promise<string>,
): Promise<ButtonState> {
  let isWarning = false;
  const state = await runAction(form, () => work(() => (isWarning = true)));
  return state.status === "done" && isWarning ? { ...state, status: "warned" } : state;
}

/** Shows an endpoint as it is now, with a message. */
function showAgain(message: string): string {
  revalidatePath("/developers/webhooks/[webhookId]", "layout");
  return message;
}

/** Makes a secret and returns it only in this response. */
async function handOver(
  form: FormData,
  make: () => Promise<MadeSecret>,
): Promise<WebhookFormState> {
  const made: MadeSecret[] = [];
  const state = await runAction(form, async () => {
    made.push(await make());
    return "";
  });
  const [secret] = made;
  return secret ? { status: "made", ...secret } : state;
}

function readFields(form: FormData): {
  url: string;
  types: AccountEventType[] | null;
  ordered: boolean;
} {
  const chosen = ACCOUNT_EVENT_TYPES.filter((type) => form.has(typeField(type)));
  const isAll = readText(form, "events") !== "some";
  if (!isAll && chosen.length === 0) {
    throw new AppError("VALIDATION_ERROR", "Choose at least one type.", { field: "types" });
  }
  const url = readText(form, "url").trim();
  if (url === "") throw new AppError("VALIDATION_ERROR", "Enter an address.", { field: "url" });
  return {
    url,
    types: isAll ? null : chosen,
    ordered: readText(form, "ordered") !== "no",
  };
}

/** Says in a sentence or two how an endpoint responded to a test message. */
function describeTest(
  isAcknowledged: boolean,
  { statusCode, error, durationMs }: WebhookAttempt,
): string {
  const outcome = `The endpoint ${isAcknowledged ? "acknowledged" : "didn’t acknowledge"} the test message`;
  if (statusCode !== null) return `${outcome}: status ${statusCode} in ${durationMs} ms.`;
  return error === null ? `${outcome}: it didn’t respond.` : `${outcome}. ${error}`;
}
