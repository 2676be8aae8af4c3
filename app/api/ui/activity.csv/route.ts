import { sessionCsv } from "@/lib/http/session-csv";
import { exportStatement, STATEMENT_COLUMNS } from "@/lib/services/activity/export-statement";

export const GET = sessionCsv({
  fileName: "ante-activity.csv",
  columns: STATEMENT_COLUMNS,
  pages: exportStatement,
});
