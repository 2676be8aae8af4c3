import { redirect } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";
import { SECURITY_HREF } from "@/components/shell/settings-sections";

/** The second factors are a section of the settings; the pages below this one change them. */
export default async function SecurityPage() {
  await requireSession();
  redirect(SECURITY_HREF);
}
