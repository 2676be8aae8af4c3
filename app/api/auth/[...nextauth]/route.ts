import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/next-auth";

const handle = async (request: Request, context: unknown): Promise<Response> => {
  // Browsers report to it what they like, and nothing here asks them to.
  if (new URL(request.url).pathname.endsWith("/_log")) return new Response(null, { status: 404 });
  return NextAuth(authOptions())(request, context);
};

export { handle as GET, handle as POST };
