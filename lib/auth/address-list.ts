import "server-only";
import ipaddr from "ipaddr.js";

/** Whether an address is in a list of addresses and CIDR ranges. Text that is no address never is. */
export function isInAddressList(text: string, list: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  // An IPv4 address can arrive as ::ffff:203.0.113.7.
  const address = ipaddr.process(text);
  return list.some((entry) => {
    const [range, bits] = entry.includes("/")
      ? ipaddr.parseCIDR(entry)
      : toRange(ipaddr.process(entry));
    return address.kind() === range.kind() && address.match(range, bits);
  });
}

function toRange(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
