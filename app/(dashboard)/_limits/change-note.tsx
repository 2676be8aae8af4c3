import { Callout } from "@/components/ui/callout";

const NOTES: Readonly<Record<string, (what: string) => string>> = {
  limits: () => "Limits saved. They apply to the next order.",
  thawed: (what) => `${what} is thawed and can trade again. Canceled orders stay canceled.`,
};

/** The result of a change of limits or of a thaw, from the URL. A freeze has a notice on every page. */
export function ChangeNote({ done, what }: { done: string; what: string }) {
  const note = Object.hasOwn(NOTES, done) ? NOTES[done] : undefined;
  if (!note) return null;
  return (
    <Callout tone="success" role="status">
      {note(what)}
    </Callout>
  );
}
