import { NextResponse } from "next/server";
import { gate } from "@/lib/http/gate";

/** Refuses early, before any route. It never grants: `route()` decides again, in full. */
export function proxy(request: Request): Response {
  return gate(request) ?? NextResponse.next();
}

export const config = { matcher: ["/((?!_next/static/).*)"] };
