import { Fragment } from "react";

/** The path of a request. It breaks before a slash rather than within a word. */
export function BreakablePath({ path }: { path: string }) {
  const [start, ...parts] = path.split("/");
  return (
    <>
      {start}
      {parts.map((part, index) => (
        <Fragment key={`${index}/${part}`}>
          <wbr />/{part}
        </Fragment>
      ))}
    </>
  );
}
