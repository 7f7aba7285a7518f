/** The styles the renderers use; names are those of `node:util` `styleText`. */
export type Style = 'red' | 'yellow' | 'cyan' | 'green' | 'dim' | 'bold';

/** Puts a style on a text; what the stream can't show is returned unstyled. */
export type Paint = (style: Style, text: string) => string;

/** No colours at all. */
export const plain: Paint = (_style, text) => text;
