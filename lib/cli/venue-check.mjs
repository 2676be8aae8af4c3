// `npm run venue:check`: compares the configured venue's API with the one that Ante knows.
import "./environment.mjs";
import { bundleEntry, install } from "./prepare.mjs";
import { computeDigest, onceFor, ROOT } from "./project.mjs";

process.chdir(ROOT);
await install({ withTools: false });
await onceFor("dist/.ante-venue-check", computeDigest(["lib", "app", "package-lock.json"]), () =>
  bundleEntry("venue-check", "lib/cli/check-venue.ts"),
);
const { checkVenue } = await import("../../dist/venue-check.mjs");
process.exitCode = await checkVenue();
