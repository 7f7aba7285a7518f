const surrogate = /\p{Surrogate}/gu;

/** The text with U+FFFD for each half of a surrogate pair, which is no character and has no form in UTF-8. */
export function wellFormed(text: string): string {
  return text.replaceAll(surrogate, '\ufffd');
}
