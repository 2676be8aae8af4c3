// The sandbox's router behind the fault server. Its database is the ground truth.
import { answerSandbox } from "@/lib/sandbox/router";
import {
  type FaultServer,
  startFaultServer,
  type VenueCall,
} from "@/tests/support/live/fault-server";

export const startSandboxServer = (): Promise<FaultServer> => startFaultServer(dispatch);

async function dispatch(url: URL, call: VenueCall, headers: Headers): Promise<Response> {
  const request = new Request(url, {
    method: call.method,
    headers,
    ...(call.body === "" ? {} : { body: call.body }),
  });
  return answerSandbox(request);
}
