/** Where to read on about tags, for `mcpgen explain`. */
export const tagDocs = 'The tags and where each belongs are listed in docs/typescript.md.';
