/** MCPG4xx: names of tools, arguments, prompts and servers. */
import { defineDiagnostic } from '../define.ts';

export const nameDiagnostics = {
  'tool-renamed': defineDiagnostic<{ operation: string; to: string; because: string }>({
    code: 'MCPG401',
    severity: 'info',
    message: ({ operation, to, because }) =>
      `The tool for \`${operation}\` is called \`${to}\`, since ${because}.`,
    hint: 'To choose another name, set `x-mcp.name` on the operation.',
  }),
  'names-long-together': defineDiagnostic<{
    server: string;
    tool: string;
    count: number;
    length: number;
    limit: number;
  }>({
    code: 'MCPG436',
    severity: 'warning',
    message: ({ server, tool, count, length, limit }) =>
      `${count === 1 ? 'A tool has' : `${count} tools have`} more than ${limit} characters with the server's name \`${server}\`, such as \`${tool}\` (${length} together). Claude Code, Gemini CLI and Cursor refuse or cut such names.`,
    hint: 'Choose a shorter `name` of the server or shorter `x-mcp.name`s. Names in mcpgen.lock become shorter with `--rename`.',
  }),
  'no-valid-arguments': defineDiagnostic<{ tool: string; place: string }>({
    code: 'MCPG437',
    severity: 'warning',
    message: ({ tool, place }) =>
      `No arguments that \`${tool}\` accepts were found, since no value fits ${place === '' ? 'its input schema' : `\`${place}\``}.`,
    hint: 'Correct the schema. If a value fits that is hard to find, such as a text of a rare pattern, add it as `example`.',
  }),
  'argument-renamed': defineDiagnostic<{ from: string; to: string; of: string }>({
    code: 'MCPG403',
    severity: 'info',
    message: ({ from, to, of }) => `The input "${from}" ${of} is the argument \`${to}\`.`,
  }),
  'rule-without-effect': defineDiagnostic<{ what: string; suggestion: string; fix?: string }>({
    code: 'MCPG470',
    severity: 'warning',
    message: ({ what }) => `${what}, so a rule has no effect.`,
    hint: ({ suggestion, fix = 'Correct the name, or remove the rules.' }) =>
      suggestion === '' ? fix : `Did you mean \`${suggestion}\`?`,
  }),
  'argument-rule-unusable': defineDiagnostic<{ argument: string; tool: string; because: string }>({
    code: 'MCPG471',
    severity: 'warning',
    message: ({ argument, tool, because }) =>
      `The rule for the argument \`${argument}\` of \`${tool}\` is not applied: ${because}.`,
    hint: 'Give a hidden argument a `default`, `const` or `env`, and a renamed one a free and valid name.',
  }),
  'tools-unusable': defineDiagnostic<{ what: string; hint: string }>({
    code: 'MCPG472',
    message: ({ what }) => `\`tools\` can't be applied: ${what}.`,
    hint: ({ hint }) => hint,
  }),
  'names-kept': defineDiagnostic<{ count: number; list: string }>({
    code: 'MCPG419',
    severity: 'info',
    message: ({ count, list }) =>
      `${count === 1 ? 'A tool keeps its name' : `${count} tools keep their names`}, since clients may use ${count === 1 ? 'it' : 'them'}: ${list}.`,
    hint: 'For the new names, use `--rename`. Then update all callers of the old names.',
  }),
  'names-refused': defineDiagnostic<{ count: number; list: string }>({
    code: 'MCPG434',
    severity: 'warning',
    message: ({ count, list }) =>
      `${count === 1 ? 'A tool keeps a name' : `${count} tools keep names`} that the APIs of OpenAI and Anthropic refuse: ${list}.`,
    hint: 'For valid names, use `--rename`, and update all callers. To keep these names without this warning, set `toolNames: spec`.',
  }),
  'names-taken': defineDiagnostic<{ count: number; list: string }>({
    code: 'MCPG420',
    severity: 'info',
    message: ({ count, list }) => `${count === 1 ? 'A tool was' : `${count} tools were`} renamed: ${list}.`,
    hint: 'Update all callers of the old names.',
  }),
};
