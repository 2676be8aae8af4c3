import { Callout } from "@/components/ui/callout";

const NOTES: Readonly<Record<string, (what: string) => string>> = {
  limits: () => "Limits saved. They apply to the next order.",
  frozen: (what) => `${what} is frozen. Open orders are being canceled.`,
  thawed: (what) => `${what} is thawed and can trade again. Canceled orders stay canceled.`,
};

/** The result of a change of limits or of a freeze, from the URL. */
export function ChangeNote({ done, what }: { done: string; what: string }) {
  const note = Object.hasOwn(NOTES, done) ? NOTES[done] : undefined;
  if (!note) return null;
  return (
    <Callout tone="success" role="status">
      {note(what)}
    </Callout>
  );
}
