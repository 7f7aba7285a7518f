/** MCPG8xx: parameters as arguments of tools and prompts, and as variables of templates. */
import { define } from '../../define.ts';

export const argumentDiagnostics = {
  'variable-not-a-parameter': define<{ variable: string; uri: string; meant: string }>({
    code: 'MCPG813',
    severity: 'error',
    message: ({ variable, uri, meant }) =>
      `${uri} has the variable ${variable}, but the function has no parameter with that name.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Give a parameter, or a property of the single object parameter, the name of the variable.',
    docs: {
      cause: 'The variables of a URI template become arguments by name, but this one matches none.',
      fix: 'Rename the variable or the parameter.',
      example: '/** @resource weather://stations/{id} */\nexport function station(name: string): string {',
    },
  }),
  'parameter-not-a-variable': define<{ parameter: string; uri: string }>({
    code: 'MCPG814',
    severity: 'error',
    message: ({ parameter, uri }) =>
      `The parameter ${parameter} gets no value, since it is not a variable of ${uri}.`,
    hint: 'Add it to the template as `{name}` or `{?name}`, or give it a default.',
    docs: {
      cause: 'A client reads a resource by its URI alone, so a parameter outside the URI never gets a value.',
      fix: 'Make it a variable of the template (`{?name}` for a query) or optional, or remove it.',
      example: '/** @resource weather://stations */\nexport function stations(country: string): string {',
    },
  }),
  'text-parameter': define<{ parameter: string; of: string }>({
    code: 'MCPG815',
    severity: 'error',
    message: ({ parameter, of }) =>
      `${parameter} has a type that cannot be read from a string: ${of} arrive as strings.`,
    hint: 'Use a string, and parse it in the function.',
    docs: {
      cause:
        'MCP passes arguments of prompts and variables of resource templates as strings. The server parses numbers, booleans, and types with a string form in JSON (dates, `bigint`, URLs, regular expressions, bytes), but not objects, or lists in prompts.',
      fix: 'Use one of these types, a union of them or of literals, or parse a string yourself. In a template, a list variable becomes a list of them.',
      example: '/** @prompt */\nexport function plan(days: Date[]): string {',
    },
  }),
  'bad-header': define<{ header: string; problem: string }>({
    code: 'MCPG818',
    severity: 'error',
    message: ({ header, problem }) => `@header ${header} is invalid: ${problem}.`,
    hint: 'Correct or remove the tag.',
    docs: {
      cause:
        'With `@header Name`, clients repeat an argument in the HTTP header `Mcp-Param-Name`. They reject a tool whose header is not a token (RFC 9110), is not unique, or mirrors anything but a string, integer or boolean.',
      fix: 'Correct the name, or remove the tag.',
      example:
        '/** @tool */\nexport function find(/** @header Region */ place: { region: string }, limit: number): string {',
    },
  }),
  'parameter-not-usable': define<{ parameter: string; problem: string }>({
    code: 'MCPG822',
    severity: 'error',
    message: ({ parameter, problem }) => `The parameter ${parameter} cannot be an argument: ${problem}.`,
    hint: 'Give each parameter its own name (patterns by `@param`), or use a single object.',
    docs: {
      cause: 'Parameter names become argument names, and the `Context` is passed once.',
      fix: 'Name the parameter, and use at most one `Context`. `@param` names a pattern, in the order of parameters; a single object pattern needs no name.',
      example:
        '/** @tool */\nexport function area([width, height]: [number, number], unit: string): number {',
    },
  }),
  'choice-at-top': define<{ tool: string; keyword: string }>({
    code: 'MCPG825',
    severity: 'info',
    message: ({ tool, keyword }) =>
      `The input schema of ${tool} has ${keyword} at its root, from \`@schema\`. Some model APIs refuse this.`,
    docs: {
      cause:
        'MCP allows any JSON Schema for tool arguments, so yours is unchanged. Some models only accept input schemas without `anyOf`, `oneOf` or `allOf` at the root.',
      fix: 'No action is needed if your models accept it. Otherwise, describe in words which arguments belong together, and check them in the function.',
      example:
        '/** @tool */\nexport function reach(/** @schema {"type":"object","anyOf":[…]} */ person: Person): string {',
    },
  }),
};
