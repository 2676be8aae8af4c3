import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/next-auth";

const handle = (request: Request, context: unknown): Promise<Response> =>
  NextAuth(authOptions())(request, context);

export { handle as GET, handle as POST };
