import type { ReactNode } from "react";
import { WITH_CODE } from "@/components/docs/article";
import { CodeSample } from "@/components/docs/code-sample";
import { FieldTable } from "@/components/docs/field-table";
import { OperationCall } from "@/components/docs/operation-call";
import type { OperationDoc } from "@/components/docs/operation-doc";

const ACCESS = {
  open: "Public. No key needed.",
  key: "Any valid key.",
  read: "Keys with the read scope.",
  trade: "Keys with the trade scope.",
  cancel: "Keys with the cancel scope.",
  webhooks: "Keys with the webhooks scope.",
} as const;

/**
 * An operation: description and fields on the left, examples on the right. A narrow screen shows one
 * line until it is opened, a wide one all of it. A link to the id opens it.
 */
export function OperationSection({ operation }: { operation: OperationDoc }) {
  const { id, method, path, summary, description, access, parameters, body, answer } = operation;
  return (
    <details className={`border-t border-border ${SHOWN}`}>
      <summary className={`flex min-h-14 flex-col justify-center gap-1 py-3 ${FOLDED_ONLY}`}>
        <h2 className="text-body font-[550]">{summary}</h2>
        <OperationCall method={method} path={path} />
      </summary>
      <section
        id={id}
        aria-label={summary}
        className={`pt-2 pb-8 max-xl:scroll-mt-20 xl:pt-8 ${WITH_CODE}`}
      >
        <div className="min-w-0">
          <div className={SHOWN_ONLY}>
            <h2 className="text-heading">
              <a href={`#${id}`} className="hover:underline">
                {summary}
              </a>
            </h2>
            <div className="mt-2">
              <OperationCall method={method} path={path} />
            </div>
          </div>
          <p className="mt-3 text-text-2">{description}</p>
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
              <p className="text-text-2">Returns the document itself.</p>
            ) : (
              <details className="group">
                <summary className="inline-flex min-h-11 items-center link lg:min-h-6">
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
        <Examples operation={operation} />
      </section>
    </details>
  );
}

/** On a wide screen, shows the content of a closed `details`. Browsers that can't do so keep the fold. */
const SHOWN =
  "xl:supports-[selector(::details-content)]:[&::details-content]:[content-visibility:visible]";
const FOLDED_ONLY = "xl:supports-[selector(::details-content)]:hidden";
const SHOWN_ONLY = "hidden xl:supports-[selector(::details-content)]:block";

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-5">
      <h3 className="mb-2 font-[550]">{title}</h3>
      {children}
    </div>
  );
}

function Failures({ operation: { failures } }: { operation: OperationDoc }) {
  return (
    <Part title="Errors">
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-text-2">
        {failures.map(({ status, name }) => (
          <li key={status}>
            <a
              href={`/docs/errors#status-${status}`}
              className="link inline-flex min-h-11 items-center lg:min-h-6"
            >
              {status}
            </a>{" "}
            {name}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** A stream has an example in its own format. */
const writeExample = (example: unknown): string =>
  typeof example === "string" ? example : JSON.stringify(example, null, 2);

/** An accordion without JavaScript: the first language is open, and opening another closes it. */
function Examples({ operation: { id, examples, exampleResponse } }: { operation: OperationDoc }) {
  return (
    <div className="flex min-w-0 flex-col gap-2 self-start xl:sticky xl:top-20">
      {examples.map(({ language, code }, index) => (
        <details key={language} name={`${id}-code`} open={index === 0} className="group">
          <summary className="flex min-h-11 items-center gap-2 font-[550] text-text-2 group-open:text-text lg:min-h-8">
            <span aria-hidden="true" className="group-open:rotate-90">
              ▸
            </span>
            {language}
          </summary>
          <CodeSample code={code} label={`${language} for ${id}`} />
        </details>
      ))}
      <h3 className="mt-2 font-[550] text-text-2">Response, 200</h3>
      <CodeSample code={writeExample(exampleResponse)} label={`response of ${id}`} />
    </div>
  );
}
