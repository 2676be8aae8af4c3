import type { ReactNode } from "react";
import { CodeSample } from "@/components/docs/code-sample";
import { FieldTable } from "@/components/docs/field-table";
import { MethodBadge } from "@/components/docs/method-badge";
import type { OperationDoc } from "@/components/docs/operation-doc";

const ACCESS = {
  open: "Open to all: no key needed.",
  key: "Any valid key.",
  read: "Keys with the scope read.",
  trade: "Keys with the scope trade.",
  cancel: "Keys with the scope cancel.",
} as const;

/** One operation: what it does and takes on the left, how to call it on the right. */
export function OperationSection({ operation }: { operation: OperationDoc }) {
  const { id, method, path, summary, description, access, parameters, body, answer } = operation;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid gap-x-8 gap-y-4 border-t border-border py-8 xl:grid-cols-[minmax(0,680px)_minmax(0,420px)]"
    >
      <div className="min-w-0">
        <h3 id={`${id}-title`} className="text-heading">
          <a href={`#${id}`} className="hover:underline">
            {summary}
          </a>
        </h3>
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <MethodBadge method={method} />
          <code className="font-mono text-small break-all">{path}</code>
        </p>
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
        <Part title="Answer">
          {answer.length === 0 ? (
            <p className="text-text-2">The document itself.</p>
          ) : (
            <details className="group">
              <summary className="inline-flex min-h-11 items-center link lg:min-h-6">
                {answer.length} fields of data
              </summary>
              <div className="mt-2">
                <FieldTable caption={`Fields of the answer of ${id}`} fields={answer} isAnswer />
              </div>
            </details>
          )}
        </Part>
        <Failures operation={operation} />
      </div>
      <Examples operation={operation} />
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-5">
      <h4 className="mb-2 font-[550]">{title}</h4>
      {children}
    </div>
  );
}

function Failures({ operation: { failures } }: { operation: OperationDoc }) {
  return (
    <Part title="Failures">
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

/** The first language is open; opening another closes it. Without JavaScript too. */
function Examples({ operation: { id, examples, exampleAnswer } }: { operation: OperationDoc }) {
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
      <h4 className="mt-2 font-[550] text-text-2">Answer, 200</h4>
      <CodeSample code={JSON.stringify(exampleAnswer, null, 2)} label={`answer of ${id}`} />
    </div>
  );
}
