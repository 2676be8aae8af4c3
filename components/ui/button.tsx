import Link from "next/link";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { getButtonClasses, type Look } from "@/components/ui/button-classes";

interface ButtonProps extends Look, ComponentProps<"button"> {
  children: ReactNode;
  /** Whether a press does nothing for now. Unlike a disabled button, it keeps the focus. */
  isUnavailable?: boolean;
}

export function Button({
  tone,
  size,
  isWide,
  type = "button",
  className = "",
  isUnavailable = false,
  ...rest
}: ButtonProps) {
  const classes = getButtonClasses({
    ...(tone && { tone }),
    ...(size && { size }),
    ...(isWide && { isWide }),
  });
  const unavailable = isUnavailable && { "aria-disabled": true, onClick: ignorePress };
  return <button type={type} className={`${classes} ${className}`} {...rest} {...unavailable} />;
}

/** Also keeps a form from being submitted, by the button or with Enter. */
const ignorePress = (event: MouseEvent) => event.preventDefault();

type ButtonLinkProps = Look & ComponentProps<typeof Link>;

export function ButtonLink({ tone, size, isWide, className = "", ...rest }: ButtonLinkProps) {
  const classes = getButtonClasses({
    ...(tone && { tone }),
    ...(size && { size }),
    ...(isWide && { isWide }),
  });
  return <Link prefetch={false} className={`${classes} ${className}`} {...rest} />;
}
