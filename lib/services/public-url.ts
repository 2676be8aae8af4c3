import "server-only";
import { env } from "@/lib/env";

export function iconUrl(icon: string): string {
  return `${env().NEXTAUTH_URL}/icons/${icon}`;
}
