/** The product's logo: two stacked chips. */
export function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 shrink-0" fill="none">
      <rect x="2" y="11" width="20" height="8" rx="4" fill="currentColor" opacity="0.35" />
      <rect x="2" y="5" width="20" height="8" rx="4" fill="currentColor" />
    </svg>
  );
}
