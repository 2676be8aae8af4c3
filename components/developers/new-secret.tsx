"use client";

import { Callout } from "@/components/ui/callout";
import { ShownOnce } from "@/components/ui/shown-once";

interface Props {
  webhookId: string;
  secret: string;
  /** What to know about the endpoint besides its secret. */
  note: string;
  isActive: boolean;
}

/** A new signing secret, with the code that verifies a message. */
export function NewSecret({ webhookId, secret, note, isActive }: Props) {
  const code = `// npm install standardwebhooks\nimport { Webhook } from "standardwebhooks";\n\nconst event = new Webhook(process.env.ANTE_WEBHOOK_SECRET).verify(body, headers);`;
  return (
    <ShownOnce
      heading="Your signing secret"
      secret={secret}
      noun="secret"
      label="Signing secret"
      notice={
        isActive ? (
          <Callout tone="success" role="status" title="The endpoint is active.">
            {note}
          </Callout>
        ) : (
          <Callout tone="danger" role="status" title="The endpoint isn’t active yet.">
            {note}
          </Callout>
        )
      }
      ifLost="If you lose it, rotate it."
      remedy="Rotate it again if you didn’t save it."
      example={{ title: "Verify each message with it", code }}
      doneHref={`/developers/webhooks/${webhookId}`}
    />
  );
}
