/** Styles of `styleText` of `node:util`. */
export type Style = 'red' | 'yellow' | 'cyan' | 'green' | 'dim' | 'bold';

/** Styles a text if the stream supports it. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;
