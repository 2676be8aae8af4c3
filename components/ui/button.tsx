import Link from "next/link";
import type { ButtonHTMLAttributes, ComponentProps, ReactNode } from "react";
import { getButtonClasses, type Look } from "@/components/ui/button-classes";

type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement> & { children: ReactNode };

export function Button({
  tone,
  size,
  isWide,
  type = "button",
  className = "",
  ...rest
}: ButtonProps) {
  const classes = getButtonClasses({
    ...(tone && { tone }),
    ...(size && { size }),
    ...(isWide && { isWide }),
  });
  return <button type={type} className={`${classes} ${className}`} {...rest} />;
}

type ButtonLinkProps = Look & ComponentProps<typeof Link>;

export function ButtonLink({ tone, size, isWide, className = "", ...rest }: ButtonLinkProps) {
  const classes = getButtonClasses({
    ...(tone && { tone }),
    ...(size && { size }),
    ...(isWide && { isWide }),
  });
  return <Link prefetch={false} className={`${classes} ${className}`} {...rest} />;
}
