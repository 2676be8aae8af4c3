import { LostPage } from "@/components/system/lost-page";

export default function MarketNotFound() {
  return (
    <LostPage title="We can’t find this market.">
      It isn&rsquo;t listed any more, or the address is incomplete. Markets leave the list some time
      after their result. Your orders and trades stay in your history.
    </LostPage>
  );
}
