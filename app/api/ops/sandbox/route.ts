import { readJson } from "@/lib/api/http/body";
import { readRequest } from "@/lib/api/http/request";
import { operatorRoute } from "@/lib/api/operator";
import { applySwitches } from "@/lib/sandbox/cutover";
import { readSwitches, SwitchChange } from "@/lib/sandbox/switches";
import { parseInput } from "@/lib/schemas/envelope";

const PATH = "/api/ops/sandbox";

/** The conditions that the sandbox simulates for every client. */
export const GET = operatorRoute(PATH, readSwitches);

/** Changes some of them while the service runs. */
export const POST = operatorRoute(
  PATH,
  async (request) => applySwitches(parseInput(SwitchChange, await readJson(readRequest(request)))),
  "POST",
);
