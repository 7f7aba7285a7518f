/** The texts of the documents that were read, for code frames and positions. */
export interface SourceTexts {
  /** The text of a file by the name its origins carry; undefined when it was never read. */
  textOf(file: string): string | undefined;
}

/** Where nothing was read. */
export const noTexts: SourceTexts = { textOf: () => undefined };
