/** MCPG9xx: what `mcpgen lint` finds in the source's words and in the schemas that a model reads. */
import { defineDiagnostic } from '../define.ts';

const wordDiagnostics = {
  'tautological-description': defineDiagnostic<{ tool: string; words: string }>({
    code: 'MCPG901',
    severity: 'warning',
    message: ({ tool, words }) =>
      `The source's description of \`${tool}\` only repeats its name: "${words}". Clients read what mcpgen adds to it, if anything.`,
    hint: 'Say what comes back, what the call needs, or when to prefer it to its siblings.',
  }),
  'missing-description': defineDiagnostic<{ tool: string }>({
    code: 'MCPG902',
    severity: 'warning',
    message: ({ tool }) => `The source says nothing about \`${tool}\`: no summary and no description.`,
    hint: 'Write a summary in the document, an overlay or `x-mcp.description`.',
  }),
  'bare-description': defineDiagnostic<{ tool: string; words: string }>({
    code: 'MCPG903',
    severity: 'info',
    message: ({ tool, words }) =>
      `The source's description of \`${tool}\` has fewer than three words: "${words}".`,
  }),
  'undescribed-argument': defineDiagnostic<{ tool: string; argument: string }>({
    code: 'MCPG904',
    severity: 'warning',
    message: ({ tool, argument }) =>
      `The argument \`${argument}\` of \`${tool}\` has no description beyond its name, and no format, pattern, enum, default or example.`,
    hint: 'Describe the parameter or property in the document, an overlay or `x-mcp.arguments`.',
  }),
  'argument-without-unit': defineDiagnostic<{ tool: string; argument: string }>({
    code: 'MCPG905',
    severity: 'info',
    message: ({ tool, argument }) =>
      `The number \`${argument}\` of \`${tool}\` sounds like a quantity, but nothing names its unit.`,
  }),
  'near-duplicate-tools': defineDiagnostic<{ tool: string; other: string; difference: string }>({
    code: 'MCPG906',
    severity: 'warning',
    message: ({ tool, other, difference }) =>
      `\`${tool}\` and \`${other}\` have nearly the same description. ${difference}`,
    hint: 'Name the difference in the first sentence of both.',
  }),
  'verb-against-method': defineDiagnostic<{ tool: string; verb: string; method: string }>({
    code: 'MCPG908',
    severity: 'warning',
    message: ({ tool, verb, method }) => `\`${tool}\` says "${verb}", but is sent as ${method}.`,
    hint: 'Rename it with `x-mcp.name`, or state its hints in `x-mcp.annotations`.',
  }),
  'public-beside-secured': defineDiagnostic<{ tool: string; secured: number }>({
    code: 'MCPG909',
    severity: 'info',
    message: ({ tool, secured }) =>
      `The operation of \`${tool}\` has no \`security\`, although ${secured} ${secured === 1 ? 'other has' : 'others have'}, so it is called without credentials.`,
    hint: 'If it needs some, add `security` in the document or with an overlay; if it is public, `security: []` says so.',
  }),
};

const clientDiagnostics = {
  'client-refuses': defineDiagnostic<{ client: string; tool: string; what: string; rule: string }>({
    code: 'MCPG920',
    message: ({ client, tool, what, rule }) => `${client} refuses ${what} of \`${tool}\`: ${rule}.`,
    hint: 'Set `x-mcp.name`, compile with `--for`, rename the argument with `x-mcp.arguments`, or change the schema in the document or an overlay.',
  }),
  'client-takes-fewer-tools': defineDiagnostic<{
    client: string;
    tools: number;
    limit: number;
    fix?: string;
  }>({
    code: 'MCPG923',
    severity: 'warning',
    message: ({ client, tools, limit }) =>
      `${client} takes at most ${limit} tools; the server lists ${tools}. It ignores or refuses the rest.`,
    hint: ({ fix = 'Select operations with `--include` and `--exclude`.' }) => fix,
  }),
  'client-not-fitted': defineDiagnostic<{ client: string; tool: string; what: string; rule: string }>({
    code: 'MCPG924',
    severity: 'warning',
    message: ({ client, tool, what, rule }) => `${client} refuses ${what} of \`${tool}\`: ${rule}.`,
    hint: 'Change the source or an overlay; a name in mcpgen.lock changes with `--rename`.',
  }),
};

const documentDiagnostics = {
  'invalid-openapi': defineDiagnostic<{ problem: string }>({
    code: 'MCPG940',
    severity: 'warning',
    message: ({ problem }) =>
      `The document is not valid OpenAPI: ${problem}. mcpgen compiles it all the same.`,
    hint: 'Correct the document; other tools may refuse it.',
  }),
  'openapi-not-validated': defineDiagnostic<{ because: string }>({
    code: 'MCPG941',
    severity: 'info',
    message: ({ because }) => `The document is not validated, since ${because}.`,
  }),
  'over-budget': defineDiagnostic<
    | { what: string; is: number; limit: number; dearest: string; unit: 'tools' | 'tokens'; levers: string }
    | { tool: string; tokens: number; limit: number }
  >({
    code: 'MCPG960',
    message: (parameters) => {
      if ('tool' in parameters)
        return `\`${parameters.tool}\` takes ${parameters.tokens} tokens; \`budget.toolTokens\` allows ${parameters.limit}.`;
      const { what, is, limit, dearest } = parameters;
      return `The server has ${is} ${what}; its budget allows ${limit}.${dearest === '' ? '' : ` The most expensive tools, in tokens: ${dearest}.`}`;
    },
    hint: (parameters) => {
      if ('tool' in parameters)
        return 'Hide arguments with `x-mcp.arguments`, leave out its output schema, or raise the budget.';
      const { dearest, levers, unit } = parameters;
      if (dearest === '') return 'Raise the budget: the tools that search others take so much by themselves.';
      return `Select operations, or raise the budget.${levers === '' ? '' : ` In ${unit}, ${levers}.`}`;
    },
  }),
};

export const lintDiagnostics = {
  ...wordDiagnostics,
  ...clientDiagnostics,
  ...documentDiagnostics,
};
