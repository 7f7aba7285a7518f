/** Overlays that are written for an author to begin with. */
import { define } from '../../define.ts';

export const overlayDiagnostics = {
  'nothing-to-overlay': define<{ source: string }>({
    code: 'MCPG563',
    severity: 'error',
    message: ({ source }) =>
      `No overlay was written: each tool of ${source} comes from an operation in another file, but an overlay only changes its own document.`,
    hint: 'Name the file with the operations, or combine the files into one document.',
    docs: {
      cause:
        'An OpenAPI Overlay changes one file. Here, all paths are `$ref`s to other files, so the overlay would have no actions.',
      fix: 'Edit the files themselves (`x-mcp`), or combine them and write an overlay for the result.',
      example: 'paths:\n  /pets: { $ref: ./pets.yaml }',
    },
  }),
};
