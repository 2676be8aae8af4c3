import { Check } from "lucide-react";
import { Money } from "@/components/format/values";
import { ButtonLink } from "@/components/ui/button";

interface Props {
  cash: number;
  hasOrder: boolean;
  hasKey: boolean;
}

/** The first steps of a new account, until it has a position. */
export function FirstRun({ cash, hasOrder, hasKey }: Props) {
  return (
    <section aria-labelledby="first-run" className="p-4 sm:p-6">
      <h2 id="first-run" className="text-heading">
        Get started
      </h2>
      <ol className="mt-4 grid gap-4 md:grid-cols-3">
        <Step number={1} title="Find a market" action="Browse markets" href="/markets" isNext>
          Prices are probabilities. A share at 62¢ means a 62% chance and pays $1.00 if it wins.
        </Step>
        <Step
          number={2}
          title="Place a paper order"
          action={cash > 0 ? "Go to Trade" : "Add funds"}
          href={cash > 0 ? "/trade" : "/wallet"}
          isDone={hasOrder}
        >
          You have <Money usdc={cash} /> in paper money. The ticket shows what you pay and what you
          can win before you buy.
        </Step>
        <Step
          number={3}
          title="Create an API key"
          action="Create a key"
          href="/keys/new"
          isDone={hasKey}
        >
          Trade from your own programs. Their orders show up here as they happen.
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: React.ReactNode;
  action: string;
  href: string;
  isDone?: boolean;
  isNext?: boolean;
}

function Step({
  number,
  title,
  children,
  action,
  href,
  isDone = false,
  isNext = false,
}: StepProps) {
  return (
    <li className="flex flex-col items-start gap-2 rounded-control border border-border p-4">
      <h3 className="flex items-center gap-2 font-[550]">
        <span
          className={`num grid size-6 place-items-center rounded-pill border text-caption ${isDone ? "border-up text-up" : "border-control text-text-2"}`}
        >
          {isDone ? <Check aria-hidden="true" className="size-3.5" /> : number}
        </span>
        {title}
        {isDone && <span className="text-small font-normal text-up">Done</span>}
      </h3>
      <p className="flex-1 text-text-2">{children}</p>
      <ButtonLink href={href} tone={isNext ? "primary" : "secondary"}>
        {action}
      </ButtonLink>
    </li>
  );
}
