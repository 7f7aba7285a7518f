/** Overlays that are written for an author to begin with. */
import { define } from '../../define.ts';

export const overlayDiagnostics = {
  'nothing-to-overlay': define<{ source: string }>({
    code: 'MCPG563',
    severity: 'error',
    message: ({ source }) =>
      `No overlay was written: every tool of ${source} comes from an operation in another file, and an overlay reaches its own document alone.`,
    hint: 'Name the file that the operations stand in, or join the files to one document.',
    docs: {
      cause:
        'An OpenAPI Overlay changes one file. Here the paths are `$ref`s, so the operations stand elsewhere, and an overlay without an action is none.',
      fix: 'Change the files themselves (`x-mcp`), or join them to one document and write the overlay for that.',
      example: 'paths:\n  /pets: { $ref: ./pets.yaml }',
    },
  }),
};
