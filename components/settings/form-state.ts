/** How the last attempt to save ended; the server's actions answer it. */
export type FormState =
  | { status: "idle" }
  | { status: "done"; message: string }
  | {
      status: "failed";
      message: string;
      field: string | null;
      /** What was typed, by field. Never a password. */
      values: Record<string, string>;
    };

type FormAction = (state: FormState, form: FormData) => Promise<FormState>;

/** What every form of the settings page is given. */
export interface SectionProps {
  action: FormAction;
  /** The page came back from saving this section without JavaScript. */
  isSaved: boolean;
}
