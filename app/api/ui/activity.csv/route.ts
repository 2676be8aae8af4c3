import { sessionCsv } from "@/lib/api/session-csv";
import { exportStatement, STATEMENT_COLUMNS } from "@/lib/activity/export-statement";

export const GET = sessionCsv({
  fileName: "ante-activity.csv",
  columns: STATEMENT_COLUMNS,
  pages: exportStatement,
});
