import type { ReactNode } from "react";
import { Code, WITH_CODE } from "@/components/docs/article";
import { Description } from "@/components/docs/description";
import { CodeSample } from "@/components/docs/code-sample";
import { FieldTable } from "@/components/docs/field-table";
import { OperationCall } from "@/components/docs/operation-call";
import type { OperationDoc } from "@/components/docs/operation-doc";
import { RequestSample } from "@/components/docs/request-sample";
import type { DocsLanguage } from "@/lib/browser/docs-language";

const ACCESS = {
  open: "Public. No key needed.",
  key: "Any valid key.",
  read: "Keys with the read scope.",
  trade: "Keys with the trade scope.",
  cancel: "Keys with the cancel scope.",
  webhooks: "Keys with the webhooks scope.",
} as const;

interface Props {
  operation: OperationDoc;
  /** The language of the request. */
  language: DocsLanguage;
}

/**
 * An operation: description and fields, and examples beside them on a wide screen. A phone shows one line
 * until it is opened, a larger screen and paper all of it. A link to the id opens it.
 */
export function OperationSection({ operation, language }: Props) {
  const { id, method, path, title, summary, description, access } = operation;
  const { parameters, body, answer } = operation;
  return (
    <details data-printed="whole" className={`group/operation border-t border-border ${SHOWN}`}>
      <summary className={`flex min-h-14 items-center gap-3 py-3 ${FOLDED_ONLY}`}>
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h2 className="text-body font-[550]">{title}</h2>
          <OperationCall method={method} path={path} />
        </div>
        <Chevron className="group-open/operation:-rotate-135" />
      </summary>
      <section
        id={id}
        aria-label={title}
        className={`pt-2 pb-8 max-lg:scroll-mt-20 lg:pt-8 ${WITH_CODE}`}
      >
        <div className="min-w-0">
          <div className={SHOWN_ONLY}>
            <h2 className="text-heading">
              <a href={`#${id}`} className="hover:underline">
                {title}
              </a>
            </h2>
            <div className="mt-2">
              <OperationCall method={method} path={path} />
            </div>
          </div>
          <p className="mt-3 font-[550]">{summary}</p>
          <Description text={description} />
          <p className="mt-2 text-text-2">
            <span className="font-[550] text-text">Access:</span> {ACCESS[access]}
          </p>
          {parameters.length > 0 && (
            <Part title="Parameters">
              <FieldTable caption={`Parameters of ${id}`} fields={parameters} />
            </Part>
          )}
          {body && (
            <Part title="Body">
              <FieldTable caption={`Body of ${id}`} fields={body} />
            </Part>
          )}
          <Part title="Response">
            {answer.length === 0 ? (
              <p className="text-text-2">{describeWhole(operation)}</p>
            ) : (
              <details data-printed="whole" className="group/fields">
                <summary className="inline-flex min-h-11 items-center gap-2 text-accent lg:min-h-6">
                  <Chevron className="group-open/fields:-rotate-135" />
                  {answer.length} fields of data
                </summary>
                <div className="mt-2">
                  <FieldTable caption={`Response fields of ${id}`} fields={answer} isResponse />
                </div>
              </details>
            )}
          </Part>
          <Failures operation={operation} />
        </div>
        <Examples operation={operation} language={language} />
      </section>
    </details>
  );
}

/** From 1,024 px, shows the content of a closed `details`. Browsers that can't do so keep the fold. */
const SHOWN =
  "lg:supports-[selector(::details-content)]:[&::details-content]:[content-visibility:visible]";
const FOLDED_ONLY = "lg:supports-[selector(::details-content)]:hidden";
const SHOWN_ONLY = "hidden lg:supports-[selector(::details-content)]:block";

/** The sign of a fold: it points down, and up while its `details` is open. */
function Chevron({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`mr-1 mb-1 size-2 shrink-0 rotate-45 border-r-2 border-b-2 border-current print:hidden ${className}`}
    />
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-5">
      <h3 className="mb-2 font-[550]">{title}</h3>
      {children}
    </div>
  );
}

/** A response without fields: a stream, whose example is text, or a document. */
function describeWhole({ exampleResponse }: OperationDoc): ReactNode {
  if (typeof exampleResponse !== "string") return "Returns the document itself.";
  return (
    <>
      A stream of <Code>text/event-stream</Code>. Each message has <Code>id</Code>,{" "}
      <Code>event</Code> and <Code>data</Code>, which is an event as{" "}
      <a className="link" href="#listEvents">
        GET /v1/events
      </a>{" "}
      returns it.
    </>
  );
}

function Failures({ operation: { failures } }: { operation: OperationDoc }) {
  return (
    <Part title="Errors">
      <ul className="divide-y divide-border rounded-control border border-border">
        {failures.map(({ status, name, codes }) => (
          <li
            key={status}
            className="grid gap-x-3 px-3 py-1.5 sm:grid-cols-[11.5rem_minmax(0,1fr)] sm:items-center"
          >
            <span className="text-text-2">
              <a
                href={`/docs/errors#status-${status}`}
                className="link inline-flex min-h-11 items-center lg:min-h-6"
              >
                {status}
              </a>{" "}
              {name}
            </span>
            {codes.length > 0 && (
              <span className="flex flex-wrap gap-x-3 max-sm:pb-1.5">
                {codes.map((code) => (
                  <a
                    key={code}
                    href={`/docs/errors#${code}`}
                    className="inline-flex min-h-6 items-center font-mono text-caption font-normal wrap-anywhere text-text-2 hover:text-text hover:underline"
                  >
                    {code}
                  </a>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** A stream has an example in its own format. */
const writeExample = (example: unknown): string =>
  typeof example === "string" ? example : JSON.stringify(example, null, 2);

function Examples({ operation, language }: Props) {
  const { id, examples, exampleResponse, exampleFailure, ownIds } = operation;
  return (
    <div className="flex min-w-0 flex-col gap-2 self-start xl:sticky xl:top-20">
      <RequestSample id={id} examples={examples} language={language} />
      {ownIds !== null && <p className="text-caption text-text-3">{ownIds}</p>}
      <CodeSample
        title="Response, 200"
        label={`response of ${id}`}
        code={writeExample(exampleResponse)}
        language={typeof exampleResponse === "string" ? "text" : "JSON"}
      />
      <CodeSample
        title={`Response, ${exampleFailure.status}`}
        label={`failure of ${id}`}
        code={JSON.stringify(exampleFailure.body, null, 2)}
        language="JSON"
      />
    </div>
  );
}
