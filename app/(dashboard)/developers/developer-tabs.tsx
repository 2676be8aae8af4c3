import { Tabs } from "@/components/ui/tabs";

/** The views for developers. */
export function DeveloperTabs({ current }: { current: "events" | "webhooks" }) {
  return (
    <div className="mb-3">
      <Tabs
        label="Developers"
        items={[
          { href: "/developers/events", label: "Events", isCurrent: current === "events" },
          { href: "/developers/webhooks", label: "Webhooks", isCurrent: current === "webhooks" },
        ]}
      />
    </div>
  );
}
