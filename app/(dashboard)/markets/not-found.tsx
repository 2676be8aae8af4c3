import { LostPage } from "@/components/system/lost-page";

export default function EventNotFound() {
  return (
    <LostPage title="We can’t find this event.">
      It isn&rsquo;t listed any more, or the address is incomplete. Search for what you need.
    </LostPage>
  );
}
