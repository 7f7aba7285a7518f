/** MCPG8xx: parameters as arguments of tools and prompts, and as variables of templates. */
import { define } from '../../define.ts';

export const argumentDiagnostics = {
  'variable-not-a-parameter': define<{ variable: string; uri: string; meant: string }>({
    code: 'MCPG813',
    severity: 'error',
    message: ({ variable, uri, meant }) =>
      `${uri} has the variable ${variable}, but the function has no parameter of that name.${meant === '' ? '' : ` Did you mean ${meant}?`}`,
    hint: 'Name a parameter, or a property of the one object, as the variable.',
    docs: {
      cause:
        'The variables of a URI template are the arguments of the function, by name. This one goes nowhere.',
      fix: 'Rename the variable or the parameter.',
      example: '/** @resource weather://stations/{id} */\nexport function station(name: string): string {',
    },
  }),
  'parameter-not-a-variable': define<{ parameter: string; uri: string }>({
    code: 'MCPG814',
    severity: 'error',
    message: ({ parameter, uri }) =>
      `Nothing gives the parameter ${parameter} a value: it is no variable of ${uri}.`,
    hint: 'Put it into the template, as `{name}` or `{?name}`, or give it a default.',
    docs: {
      cause:
        'A resource is read by its URI alone. A parameter that the URI does not hold never gets a value.',
      fix: 'Make it a variable of the template (`{?name}` for a query), optional, or leave it out.',
      example: '/** @resource weather://stations */\nexport function stations(country: string): string {',
    },
  }),
  'text-parameter': define<{ parameter: string; of: string }>({
    code: 'MCPG815',
    severity: 'error',
    message: ({ parameter, of }) =>
      `${parameter} has a type that no text is read as: ${of} arrive as strings.`,
    hint: 'Take a string, and parse it in the function.',
    docs: {
      cause:
        'MCP hands over the arguments of prompts and the variables of resource templates as strings. Numbers and booleans are parsed, and what is one text in JSON is made of it (dates, `bigint`, URLs, regular expressions, bytes); nothing says how an object, or a list in a prompt, would be written.',
      fix: 'Give the parameter one of these types, a union of them or of literals, or take a string and parse it. In a template, a list of them is the items of a list variable.',
      example: '/** @prompt */\nexport function plan(days: Date[]): string {',
    },
  }),
  'bad-header': define<{ header: string; problem: string }>({
    code: 'MCPG818',
    severity: 'error',
    message: ({ header, problem }) => `@header ${header} can't be used: ${problem}.`,
    hint: 'Correct it, or take the tag away.',
    docs: {
      cause:
        'With `@header Name` clients repeat an argument in the HTTP header `Mcp-Param-Name`. A client drops a tool whose header is no token (RFC 9110), stands twice, or mirrors anything but a string, an integer or a boolean.',
      fix: 'Correct the name, or take the tag away.',
      example:
        '/** @tool */\nexport function find(/** @header Region */ place: { region: string }, limit: number): string {',
    },
  }),
  'parameter-not-usable': define<{ parameter: string; problem: string }>({
    code: 'MCPG822',
    severity: 'error',
    message: ({ parameter, problem }) => `The parameter ${parameter} can't be an argument: ${problem}.`,
    hint: 'Give each parameter a name of its own, a pattern by `@param`, or take one object.',
    docs: {
      cause: 'Arguments are known by the names of parameters, and the `Context` is handed over once.',
      fix: 'Name the parameter, and take one `Context` at most. A pattern has the name that `@param` says, in the order of the parameters; one of an object that is the only parameter needs none.',
      example:
        '/** @tool */\nexport function area([width, height]: [number, number], unit: string): number {',
    },
  }),
  'choice-at-top': define<{ tool: string; keyword: string }>({
    code: 'MCPG825',
    severity: 'info',
    message: ({ tool, keyword }) =>
      `The input schema of ${tool} has ${keyword} at its top, as \`@schema\` says. The APIs of some models refuse such tools.`,
    docs: {
      cause:
        'MCP allows any JSON Schema for the arguments of a tool, so yours is listed as it stands. Some models take tools only without a choice (`anyOf`, `oneOf`, `allOf`) at the top of their input schema.',
      fix: 'Nothing needs to be done where your models take it. Else say in the description which arguments go together, and check them in the function.',
      example:
        '/** @tool */\nexport function reach(/** @schema {"type":"object","anyOf":[…]} */ person: Person): string {',
    },
  }),
};
