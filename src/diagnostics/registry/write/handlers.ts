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
      cause: 'mcpgen compiles edited handlers to dist/, and one of them has a syntax error.',
      fix: 'Correct the file. mcpgen does not check its types; `npm run build` does.',
    },
  }),
  'handler-import-not-found': define<{ file: string; specifier: string }>({
    code: 'MCPG517',
    severity: 'error',
    message: ({ file, specifier }) =>
      `${file} imports "${specifier}", which does not exist, so the server could not start. Nothing was written.`,
    hint: ({ specifier }) =>
      specifier.startsWith('.')
        ? 'Correct the path. mcpgen compiles modules in src/handlers/, `npm run build` also compiles others. The runtime is ../runtime/index.ts and ../runtime/definition.ts.'
        : 'Install the package in the project, or remove the import.',
    docs: {
      cause:
        'A module in src/handlers/ imports a file or package that Node will not find beside the compiled module in dist/ or in node_modules.',
      fix: 'Correct the import, move the module to src/handlers/, or install the package with `npm install <package>` in the project, which also adds it to package.json. From the runtime, import only `../runtime/index.ts` or `../runtime/definition.ts`.',
      example: "import { price } from './prices.ts';",
    },
  }),
  'handler-not-read': define<{ file: string; name: string }>({
    code: 'MCPG552',
    severity: 'warning',
    message: ({ file, name }) => `${file} exports ${codeSpan(name)}, but the server only reads \`handlers\`.`,
    hint: ({ name }) => `Make it a member: \`export const handlers = { ${name} };\`.`,
    docs: {
      cause:
        'src/handlers/index.ts exports a name of a handler, such as `beforeRequest`, beside `handlers` but does not use it there, so the server never calls it.',
      fix: 'Add it to `handlers`. If it has another purpose, rename it.',
      example: 'export const handlers = {};\nexport const beforeRequest = (request) => {};',
    },
  }),
  'handler-without-tool': define<{ file: string; tool: string; suggestion?: string }>({
    code: 'MCPG542',
    severity: 'error',
    message: ({ file, tool }) =>
      `${file} replaces the tool ${codeSpan(tool)}, which does not exist, so the server would not start. Nothing was written.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Remove it from `tools`, or move an additional tool to `extraTools`.'
        : `Did you mean ${codeSpan(suggestion)}? Otherwise, remove it from \`tools\`, or move an additional tool to \`extraTools\`.`,
    docs: {
      cause:
        'A key of `tools` in src/handlers/index.ts matches no tool: the operation was removed, is no longer selected, or its tool was renamed. The server checks this and stops when it starts.',
      fix: 'Rename or remove the key. mcpgen checks literal keys; only the server checks spread or computed ones.',
      example: 'export const handlers = { tools: { deletePet: () => "no" } };',
    },
  }),
};
