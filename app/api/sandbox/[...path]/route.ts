import { answerSandbox } from "@/lib/sandbox/router";

export {
  answerSandbox as DELETE,
  answerSandbox as GET,
  answerSandbox as HEAD,
  answerSandbox as OPTIONS,
  answerSandbox as PATCH,
  answerSandbox as POST,
  answerSandbox as PUT,
};
