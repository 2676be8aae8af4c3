import { llmsText } from "@/app/docs/_lib/llms-text";

/** A map of the interface and its documentation for language models. */
export function GET(): Response {
  return new Response(llmsText(), { headers: { "content-type": "text/plain; charset=utf-8" } });
}
