import { WithCode } from "@/components/docs/with-code";

/** The description of an operation: a paragraph, and the items of a list if it has lines that start with "- ". */
export function Description({ text }: { text: string }) {
  const [lead = "", ...items] = text.split("\n- ");
  return (
    <>
      <p className="mt-1 text-text-2">
        <WithCode text={lead} />
      </p>
      {items.length > 0 && (
        <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-text-2">
          {items.map((item) => (
            <li key={item}>
              <WithCode text={item} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
