/** MCPG9xx: what `mcpgen lint` finds in the source's words and in the schemas that a model reads. */
import { defineDiagnostic } from '../define.ts';

const wordDiagnostics = {
  'tautological-description': defineDiagnostic<{ tool: string; words: string }>({
    code: 'MCPG901',
    severity: 'warning',
    message: ({ tool, words }) =>
      `The source's description of \`${tool}\` only repeats its name: "${words}". Clients read what mcpgen adds to it, if anything.`,
    hint: 'Say what comes back, what the call needs, or when to prefer it to its siblings.',
    docs: {
      cause:
        'All words of the summary and description are words of the operationId, the method or the path. A model already has the name, so the description costs tokens and tells nothing.',
      fix: 'Write a description in the document, in an overlay or as `x-mcp.description`. `--fix` adds what the document says elsewhere, such as the description of the response.',
      example: 'operationId: listPets\nsummary: List pets',
      source:
        'Glama, Tool Definition Quality Score: "tautological description" when it only repeats name or title. Read 2026-11.',
    },
  }),
  'missing-description': defineDiagnostic<{ tool: string }>({
    code: 'MCPG902',
    severity: 'warning',
    message: ({ tool }) => `The source says nothing about \`${tool}\`: no summary and no description.`,
    hint: 'Write a summary in the document, an overlay or `x-mcp.description`.',
    docs: {
      cause:
        'The operation has neither summary nor description, or the function has no comment. Clients get words made of method, path and schemas, which count as present at most.',
      fix: 'Write one sentence: what comes back, or what changes. `--fix` uses the description of the response if no other tool has the same.',
      example: 'get: { operationId: listPets, responses: … }',
    },
  }),
  'bare-description': defineDiagnostic<{ tool: string; words: string }>({
    code: 'MCPG903',
    severity: 'info',
    message: ({ tool, words }) =>
      `The source's description of \`${tool}\` has fewer than three words: "${words}".`,
    docs: {
      cause: 'One or two words seldom tell a model when to call a tool and what comes back.',
      fix: 'Write a sentence. `--fix` adds the description of the response if no other tool has the same.',
      example: 'summary: Pets',
    },
  }),
  'undescribed-argument': defineDiagnostic<{ tool: string; argument: string }>({
    code: 'MCPG904',
    severity: 'warning',
    message: ({ tool, argument }) =>
      `The argument \`${argument}\` of \`${tool}\` has no description beyond its name, and no format, pattern, enum, default or example.`,
    hint: 'Describe the parameter or property in the document, an overlay or `x-mcp.arguments`.',
    docs: {
      cause: 'A model has to guess the value from the name of the argument.',
      fix: 'Describe it, or give it an example or a format. `--fix` copies the description of the same argument if at least two other tools have it, and all that describe it say the same.',
      example: 'parameters: [{ name: q, in: query, schema: { type: string } }]',
    },
  }),
  'argument-without-unit': defineDiagnostic<{ tool: string; argument: string }>({
    code: 'MCPG905',
    severity: 'info',
    message: ({ tool, argument }) =>
      `The number \`${argument}\` of \`${tool}\` sounds like a quantity, but nothing names its unit.`,
    docs: {
      cause:
        'A model that does not know whether a timeout is in seconds or milliseconds, or a price in euros or cents, sends wrong values without an error.',
      fix: 'Name the unit in the description, or in the name of the argument.',
      example: '{ name: timeout, in: query, schema: { type: integer } }',
    },
  }),
  'near-duplicate-tools': defineDiagnostic<{ tool: string; other: string; difference: string }>({
    code: 'MCPG906',
    severity: 'warning',
    message: ({ tool, other, difference }) =>
      `\`${tool}\` and \`${other}\` have nearly the same description. ${difference}`,
    hint: 'Name the difference in the first sentence of both.',
    docs: {
      cause:
        'At least nine of ten words of the two summaries are the same, so a model chooses between them by chance. The message names what differs: words of the path, arguments or the method.',
      fix: 'Put the difference into the summaries, or exclude one of the tools.',
      example: 'summary: Get a label # of GET /orgs/{org}/label and of GET /repos/{repo}/label',
    },
  }),
  'confused-tool': defineDiagnostic<{ tool: string; rank: number; first: string }>({
    code: 'MCPG907',
    severity: 'info',
    message: ({ tool, rank, first }) =>
      `Searching for the summary of \`${tool}\` finds it at rank ${rank}; \`${first}\` is the first.`,
    docs: {
      cause:
        'mcpgen ranks all tools for each summary by BM25 over names and summaries. A tool that is not the first for its own words is easily taken for another.',
      fix: 'Use the words of the resource in the summary, and avoid words that only a sibling needs.',
    },
  }),
  'verb-against-method': defineDiagnostic<{ tool: string; verb: string; method: string }>({
    code: 'MCPG908',
    severity: 'warning',
    message: ({ tool, verb, method }) => `\`${tool}\` says "${verb}", but is sent as ${method}.`,
    hint: 'Rename it with `x-mcp.name`, or state its hints in `x-mcp.annotations`.',
    docs: {
      cause:
        'The first word of the name promises reading while the method writes, or the other way round. Clients ask a person before destructive calls, and they decide by hints that follow from the method.',
      fix: 'Correct the name, or write `readOnlyHint` and `destructiveHint` in `x-mcp.annotations`; stated hints end this finding.',
      example: 'delete: { operationId: getPet }',
    },
  }),
};

const CLIENTS = '`--client` checks one or more of them; docs/lint.md lists their rules with sources.';

const clientDiagnostics = {
  'client-refuses-name': defineDiagnostic<{ client: string; tool: string; rule: string }>({
    code: 'MCPG920',
    severity: 'error',
    message: ({ client, tool, rule }) => `${client} refuses the tool name \`${tool}\`: ${rule}.`,
    hint: 'Set `x-mcp.name`, or compile with `--for`.',
    docs: {
      cause: `Some clients and model APIs refuse a whole request or server for one name. ${CLIENTS}`,
      fix: 'Choose a shorter name of letters, digits, `_` and `-`, or let `--for <client>` rename it.',
      source: 'The pages in the table of clients in docs/lint.md, with the date of their review.',
    },
  }),
  'client-refuses-argument': defineDiagnostic<{
    client: string;
    tool: string;
    argument: string;
    rule: string;
  }>({
    code: 'MCPG921',
    severity: 'error',
    message: ({ client, tool, argument, rule }) =>
      `${client} refuses the argument \`${argument}\` of \`${tool}\`: ${rule}.`,
    hint: 'Rename the argument with `x-mcp.arguments`.',
    docs: {
      cause: `A single refused key ends the whole conversation. ${CLIENTS}`,
      fix: 'Rename the argument; the server still sends the name of the document.',
      source: 'evoila/meho#2745, read 2026-11.',
    },
  }),
  'client-refuses-schema': defineDiagnostic<{ client: string; tool: string; at: string; rule: string }>({
    code: 'MCPG922',
    severity: 'error',
    message: ({ client, tool, at, rule }) =>
      `${client} refuses the input schema of \`${tool}\` at ${at}: ${rule}.`,
    hint: 'Compile with `--for <client>`, which rewrites what it can without loss.',
    docs: {
      cause: `Model APIs accept a subset of JSON Schema, and refuse a request or drop the argument otherwise. ${CLIENTS}`,
      fix: 'Use `--for <client>`, or simplify the schema with an overlay.',
      source: 'The pages in the table of clients in docs/lint.md, with the date of their review.',
    },
  }),
  'client-takes-fewer-tools': defineDiagnostic<{ client: string; tools: number; limit: number }>({
    code: 'MCPG923',
    severity: 'warning',
    message: ({ client, tools, limit }) =>
      `${client} takes at most ${limit} tools; the server lists ${tools}. It ignores or refuses the rest.`,
    hint: 'Select operations with `--include` and `--exclude`.',
    docs: {
      cause: `Clients limit the tools that a model sees at once. ${CLIENTS}`,
      fix: 'Select operations by tag or path, or split the server.',
      source: 'The pages in the table of clients in docs/lint.md, with the date of their review.',
    },
  }),
  'client-not-fitted': defineDiagnostic<{ client: string; tool: string; what: string; rule: string }>({
    code: 'MCPG924',
    severity: 'warning',
    message: ({ client, tool, what, rule }) =>
      `\`--for\` cannot fit ${what} of \`${tool}\` to ${client} without loss: ${rule}.`,
    hint: 'Change the source or an overlay; a name in mcpgen.lock changes with `--rename`.',
    docs: {
      cause:
        '`--for` rewrites only what keeps the meaning: it shortens new names, writes the targets of references, splits lists of types, and makes optional arguments and members nullable for the strict shape of OpenAI. Names in the lock, circles of references, and optional members that may be null already stay.',
      fix: 'Rename the tool with `--rename` or `x-mcp.name`, break the circle with an overlay, or accept that this client refuses or misreads the tool. OpenAI takes tools without its strict shape, too.',
    },
  }),
};

const directoryDiagnostics = {
  'directory-wants-title': defineDiagnostic<{ directory: string; tool: string }>({
    code: 'MCPG930',
    severity: 'error',
    message: ({ directory, tool }) => `${directory} wants a title, which \`${tool}\` does not have.`,
    hint: 'Write a summary, `x-mcp.title`, or `@title` for a function.',
    docs: {
      cause: 'Directories show titles to people, and refuse a server with a tool that has none.',
      fix: 'Give the tool a title.',
      source: 'Directory policy of Claude connectors, read 2026-11.',
    },
  }),
  'directory-wants-hints': defineDiagnostic<{ directory: string; tool: string; hints: string }>({
    code: 'MCPG931',
    severity: 'error',
    message: ({ directory, tool, hints }) =>
      `${directory} wants ${hints} outright, and \`${tool}\` lacks it.`,
    hint: 'State the hints in `x-mcp.annotations`, or with tags of the function.',
    docs: {
      cause:
        'Claude connectors want a hint that applies: `readOnlyHint: true`, or `destructiveHint` for tools that write. ChatGPT apps want `readOnlyHint`, `destructiveHint` and `openWorldHint` outright. `--fix` writes what the protocol’s defaults say.',
      fix: 'State each hint.',
      source: 'Directory policies of Claude connectors and ChatGPT apps, read 2026-11.',
    },
  }),
  'directory-refuses-catch-all': defineDiagnostic<{ directory: string; tool: string; argument: string }>({
    code: 'MCPG932',
    severity: 'warning',
    message: ({ directory, tool, argument }) =>
      `${directory} refuses tools that do anything, and \`${tool}\` takes the \`${argument}\` to send.`,
    hint: 'Serve separate tools for reading and writing.',
    docs: {
      cause:
        'A tool with a free method, URL or command can read and delete alike, so no hint and no consent fits it.',
      fix: 'Exclude the tool, or fix the argument with `x-mcp.arguments`.',
      source: 'Directory policy of Claude connectors, read 2026-11.',
    },
  }),
  'directory-calls-tautological': defineDiagnostic<{ directory: string; tool: string; words: string }>({
    code: 'MCPG933',
    severity: 'warning',
    message: ({ directory, tool, words }) =>
      `${directory} calls the description of \`${tool}\` tautological: ${words === '' ? 'there is none' : `"${words}" only repeats its name or title`}.`,
    hint: 'Say what comes back, what the call needs, or when to prefer it to its siblings.',
    docs: {
      cause:
        'Glama judges the description that clients read, with what mcpgen adds, against name and title; MCPG901 judges the words of the source against name, method and path. One such tool counts 40 % of the score of the server, which is 0.6 of the mean and 0.4 of the lowest score, as in `mcpgen lint`. Glama also wants `glama.json` and a LICENSE file in the repository; these belong to [publishing](publishing.md) and are not checked here.',
      fix: 'Write a description in the document, in an overlay or as `x-mcp.description`.',
      example: 'operationId: listPets\nsummary: Returns pets',
      source:
        'Glama, Tool Definition Quality Score: "tautological description" when it only repeats name or title. Read 2026-11.',
    },
  }),
};

const documentDiagnostics = {
  'invalid-openapi': defineDiagnostic<{ problem: string }>({
    code: 'MCPG940',
    severity: 'warning',
    message: ({ problem }) =>
      `The document is not valid OpenAPI: ${problem}. mcpgen compiles it all the same.`,
    hint: 'Correct the document; other tools may refuse it.',
    docs: {
      cause:
        'The document breaks the schema that the OpenAPI Initiative publishes for its version (2.0, 3.0 or 3.1).',
      fix: 'Correct it where the message points, or ignore the finding: mcpgen reads more than valid documents.',
      example: 'info: { title: Pets } # without a version',
      source: 'Schemas of the OpenAPI Initiative, by @apidevtools/swagger-parser.',
    },
  }),
  'openapi-not-validated': defineDiagnostic<{ because: string }>({
    code: 'MCPG941',
    severity: 'info',
    message: ({ because }) => `The document is not validated, since ${because}.`,
    docs: {
      cause:
        'The validator knows OpenAPI 2.0, 3.0 and 3.1, and mcpgen gives it no document with YAML aliases.',
      fix: 'Nothing: all other rules hold.',
    },
  }),
  'over-budget': defineDiagnostic<{
    what: string;
    is: number;
    most: number;
    dearest: string;
    unit: 'tools' | 'tokens';
    levers: string;
  }>({
    code: 'MCPG960',
    severity: 'error',
    message: ({ what, is, most, dearest }) =>
      `The server has ${is} ${what}; its budget allows ${most}.${dearest === '' ? '' : ` The dearest tools, in tokens: ${dearest}.`}`,
    hint: ({ unit, dearest, levers }) =>
      dearest === ''
        ? 'Raise the budget: the tools that search others take so much by themselves.'
        : `Select operations, or raise the budget.${levers === '' ? '' : ` In ${unit}, ${levers}.`}`,
    docs: {
      cause:
        'A client sends the list of tools to the model with each request. `budget` in the configuration bounds the number of tools (`tools`) and the tokens of the list (`listTokens`), and `--max-tokens` bounds the list for one run. Tokens are estimated.',
      fix: 'Use the levers that the hint lists with what each would save: no output schemas, shorter descriptions, or fewer operations.',
      example: '{ "budget": { "listTokens": 10000 } }',
    },
  }),
  'tool-over-budget': defineDiagnostic<{ tool: string; is: number; most: number }>({
    code: 'MCPG961',
    severity: 'error',
    message: ({ tool, is, most }) => `\`${tool}\` takes ${is} tokens; \`budget.toolTokens\` allows ${most}.`,
    hint: 'Hide arguments with `x-mcp.arguments`, leave out its output schema, or raise the budget.',
    docs: {
      cause:
        'Listing this tool alone takes more tokens than `budget.toolTokens` allows. Tokens are estimated.',
      fix: 'Hide arguments that no model needs, shorten its description, or leave out its output schema.',
      example: '{ "budget": { "toolTokens": 1000 } }',
    },
  }),
  'score-dropped': defineDiagnostic<{ subject: string; before: number; now: number; allowed: number }>({
    code: 'MCPG950',
    severity: 'error',
    message: ({ subject, before, now, allowed }) =>
      `The score of ${subject} dropped from ${before} to ${now}; \`--max-score-drop\` allows ${allowed}.`,
    hint: 'See the findings of this run, or write a new baseline with `mcpgen lint --json`.',
    docs: {
      cause:
        '`--max-score-drop` compares with the report that `--baseline` names: the server, and each tool that both have.',
      fix: 'Improve the words of the tools that dropped, or replace the baseline by the report of this run.',
      example: 'mcpgen lint api.yaml --baseline lint.json --max-score-drop 2',
    },
  }),
  'baseline-unusable': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG951',
    severity: 'error',
    message: ({ file, problem }) => `The baseline ${file} cannot be used: ${problem}.`,
    hint: 'Write it with `mcpgen lint <source> --json > lint.json`.',
    docs: {
      cause: '`--baseline` names a report of `mcpgen lint --json`.',
      fix: 'Write it again.',
    },
  }),
};

export const lintDiagnostics = {
  ...wordDiagnostics,
  ...clientDiagnostics,
  ...directoryDiagnostics,
  ...documentDiagnostics,
};
