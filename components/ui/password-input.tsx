"use client";

import { Eye, EyeOff } from "lucide-react";
import { type InputHTMLAttributes, useState } from "react";

/** A password field with a button that shows the password. It is required unless `props` say otherwise. */
export function PasswordInput(props: InputHTMLAttributes<HTMLInputElement>) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <input required {...props} type={isShown ? "text" : "password"} className="control pr-12" />
      <button
        type="button"
        aria-label={isShown ? "Hide password" : "Show password"}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center text-text-2 hover:text-text noscript:hidden"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
