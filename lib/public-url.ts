import "server-only";
import { env } from "@/lib/env";

export function buildIconUrl(icon: string): string {
  return `${env().NEXTAUTH_URL}/icons/${icon}`;
}
