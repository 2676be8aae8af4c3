import { LostPage } from "@/components/system/lost-page";

export default function NotFound() {
  return <LostPage />;
}
