import type { ActionState } from "@/components/ui/action-form";

/** A new signing secret. Only this state contains it. */
export interface MadeSecret {
  webhookId: string;
  secret: string;
  /** What to know about the endpoint besides its secret. */
  note: string;
  /** Whether the endpoint gets events. */
  isActive: boolean;
}

export type WebhookFormState = ActionState | ({ status: "made" } & MadeSecret);

export type WebhookFormAction = (
  state: WebhookFormState,
  form: FormData,
) => Promise<WebhookFormState>;

/** The name of an event type's checkbox. */
export const typeField = (type: string) => `type:${type}`;
