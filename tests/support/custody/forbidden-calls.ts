import { Interface } from "ethers";

/** Functions that take something out of a wallet, or let others do it. Ante signs none of them. */
export const FORBIDDEN_FUNCTIONS = new Interface([
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
  "function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)",
  "function increaseAllowance(address spender, uint256 added)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function wrap(address asset, address to, uint256 amount)",
  "function unwrap(address asset, address to, uint256 amount)",
  "function withdraw(uint256 amount)",
  "function addOwnerWithThreshold(address owner, uint256 threshold)",
  "function swapOwner(address before, address from, address to)",
  "function enableModule(address module)",
  "function setGuard(address guard)",
  "function setFallbackHandler(address handler)",
  "function upgradeToAndCall(address implementation, bytes data)",
  "function authorizeSessionSigner(address signer, uint256 validUntil)",
  "function multiSend(bytes transactions)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation)",
]);
