import type { AmountLimit, CountLimit } from "@/lib/domain/limits";

type LimitText = Partial<Record<AmountLimit | CountLimit | "approvalAbove", string>>;

interface KeyTemplate {
  id: string;
  title: string;
  text: string;
  access: "read" | "trade";
  /** Days. */
  lifetime: string;
  /** The limits that it suggests, as the texts of their fields. */
  limits: LimitText;
}

/** The starting points of the form for a new key. */
export const KEY_TEMPLATES = [
  {
    id: "read",
    title: "Read only",
    text: "Dashboards and reports. Can’t trade.",
    access: "read",
    lifetime: "90",
    limits: {},
  },
  {
    id: "bot",
    title: "Bot",
    text: "Trades up to $100 an order and $500 a day.",
    access: "trade",
    lifetime: "90",
    limits: { perOrder: "100", perDay: "500", maxOpenOrders: "20" },
  },
  {
    id: "agent",
    title: "AI agent",
    text: "Small caps: $25 an order and $50 a day. Above $10, you approve. For 30 days.",
    access: "trade",
    lifetime: "30",
    limits: { perOrder: "25", perDay: "50", approvalAbove: "10", maxOpenOrders: "5" },
  },
] as const satisfies readonly KeyTemplate[];

export type KeyTemplateId = (typeof KEY_TEMPLATES)[number]["id"];

/** Returns the template of a page's URL, or the one with the fewest rights. */
export function findKeyTemplate(id: string | undefined): KeyTemplate & { id: KeyTemplateId } {
  return KEY_TEMPLATES.find((template) => template.id === id) ?? KEY_TEMPLATES[0];
}
