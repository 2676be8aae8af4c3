/** Why shown figures can miss their shown total. */
export const ROUNDED =
  "Each figure is rounded by itself, so a total can differ from its parts by cents.";
