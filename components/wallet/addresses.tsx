import { AddressRow } from "@/components/wallet/address-row";
import type { WalletWire } from "@/components/wallet/allowance";

interface Props {
  wallet: Pick<WalletWire, "address" | "funderAddress">;
}

/** The account's addresses: the one that signs, and the one that holds the money. */
export function Addresses({ wallet }: Props) {
  const { address, funderAddress } = wallet;
  if (address === funderAddress) {
    return (
      <AddressRow
        label="Wallet"
        purpose="Signs your orders, holds your USDC and pays for your orders."
        address={address}
      />
    );
  }
  return (
    <>
      <AddressRow
        label="Wallet"
        purpose="Signs your orders. Doesn&rsquo;t hold money."
        address={address}
      />
      <AddressRow
        label="Funding wallet"
        purpose="Holds your USDC and pays for your orders."
        address={funderAddress}
      />
    </>
  );
}
