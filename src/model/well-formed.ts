const surrogate = /\p{Surrogate}/gu;

/** Replaces halves of surrogate pairs by U+FFFD, since UTF-8 cannot encode them. */
export function wellFormed(text: string): string {
  return text.replaceAll(surrogate, '\ufffd');
}
