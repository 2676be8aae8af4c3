/** "2 orders wait for your approval" */
export function countWaiting(waiting: number): string {
  if (waiting === 0) return "No orders are waiting";
  return waiting === 1
    ? "1 order waits for your approval"
    : `${waiting} orders wait for your approval`;
}
