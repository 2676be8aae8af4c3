/** Writes the apostrophes of the API's messages as pages write theirs. */
export const writeApostrophes = (message: string): string =>
  message.replaceAll(/(?<=\w)'(?=\w)/g, "’");
