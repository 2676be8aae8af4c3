import { PageModeField } from "@/components/shell/page-mode";
import { SubmitButton } from "@/components/ui/submit-button";

interface Props {
  action: (form: FormData) => Promise<void>;
  /** The number of the newest notification that is shown. */
  seq: number;
}

/** Marks the shown notifications as read. */
export function MarkReadForm({ action, seq }: Props) {
  return (
    <form action={action}>
      <PageModeField />
      <input type="hidden" name="seq" value={seq} />
      <SubmitButton pendingLabel="Marking…">Mark all as read</SubmitButton>
    </form>
  );
}
