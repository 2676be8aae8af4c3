"use client";

import { ShownOnce } from "@/components/ui/shown-once";

interface Props {
  webhookId: string;
  secret: string;
  /** What to know about the endpoint besides its secret. */
  note: string;
}

/** A new signing secret, with the code that verifies a message. */
export function NewSecret({ webhookId, secret, note }: Props) {
  const code = `// npm install standardwebhooks\nimport { Webhook } from "standardwebhooks";\n\nconst event = new Webhook(process.env.ANTE_WEBHOOK_SECRET).verify(body, headers);`;
  return (
    <ShownOnce
      heading="Your signing secret"
      secret={secret}
      noun="secret"
      label="Signing secret"
      ifLost={<>If you lose it, rotate it. {note}</>}
      example={{ title: "Verify each message with it", code }}
      doneHref={`/developers/webhooks/${webhookId}`}
    />
  );
}
