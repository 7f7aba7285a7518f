/** MCPG5xx: the user's handlers. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';

export const handlerDiagnostics = {
  'handlers-not-compiled': define<{ file: string; reason: string }>({
    code: 'MCPG515',
    severity: 'error',
    message: ({ file, reason }) =>
      `${file} is not valid TypeScript (${reason}), so the server could not start. Nothing was written.`,
    hint: 'Correct it and run mcpgen again.',
    docs: {
      cause:
        'mcpgen compiles your handlers into dist/ when you have edited them, and one of them has a syntax error.',
      fix: 'Correct the file. Types are not checked here; npm run build does that.',
    },
  }),
  'handler-import-not-found': define<{ file: string; specifier: string }>({
    code: 'MCPG517',
    severity: 'error',
    message: ({ file, specifier }) =>
      `${file} imports "${specifier}", which is not there, so the server could not start. Nothing was written.`,
    hint: ({ specifier }) =>
      specifier.startsWith('.')
        ? 'Correct the path. Modules below src/handlers/ are compiled with it; others when `npm run build` has run. The runtime is ../runtime/index.ts and ../runtime/definition.ts.'
        : 'Install the package in the project, or take the import out.',
    docs: {
      cause:
        'A module of yours below src/handlers/ imports a file or a package that does not exist where Node will look for it: beside the compiled module below dist/, or in node_modules.',
      fix: 'Correct the import, put the module below src/handlers/, or install the package. From the runtime import `../runtime/index.ts` or `../runtime/definition.ts`: the other modules of it are shipped in chunks. A package that the server needs belongs in its package.json too: `npm install <package>` in the project adds it, and it stays there.',
      example: "import { price } from './prices.ts';",
    },
  }),
  'handler-not-read': define<{ file: string; name: string }>({
    code: 'MCPG552',
    severity: 'warning',
    message: ({ file, name }) =>
      `${file} exports ${codeSpan(name)}, and nothing reads it: the server reads \`handlers\` alone.`,
    hint: ({ name }) => `Make it a member: \`export const handlers = { ${name} };\`.`,
    docs: {
      cause:
        'src/handlers/index.ts exports something by the name of a member of `handlers`, such as `beforeRequest`, beside `handlers`. Nothing in the file speaks of it again, so it is no member, and the server never calls it.',
      fix: 'Name it in `handlers`. Where it is for something else, give it another name.',
      example: 'export const handlers = {};\nexport const beforeRequest = (request) => {};',
    },
  }),
  'handler-without-tool': define<{ file: string; tool: string; suggestion?: string }>({
    code: 'MCPG542',
    severity: 'error',
    message: ({ file, tool }) =>
      `${file} replaces what the tool ${codeSpan(tool)} does, and there is no such tool, so the server would not start. Nothing was written.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Take it out of `tools`; a tool that no source has goes into `extraTools`.'
        : `Did you mean ${codeSpan(suggestion)}? Otherwise take it out of \`tools\`; a tool that no source has goes into \`extraTools\`.`,
    docs: {
      cause:
        'A key of `tools` in src/handlers/index.ts is the name of no tool: the operation is gone from the document, it is no longer selected, or its tool has another name now. The server checks this when it starts, and stops.',
      fix: 'Rename the key, or take it out. Keys are looked at where they are written out; those of a spread or computed ones are checked by the server alone.',
      example: 'export const handlers = { tools: { deletePet: () => "no" } };',
    },
  }),
};
