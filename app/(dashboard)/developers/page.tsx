import { redirect } from "next/navigation";
import { requireSession } from "@/app/_lib/require-session";

export default async function DevelopersPage() {
  await requireSession();
  redirect("/developers/events");
}
