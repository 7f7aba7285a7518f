/** MCPG2xx: the extensions `x-mcp` and `x-mcp-prompts`. */
import { define } from '../../define.ts';

export const extensionDiagnostics = {
  'invalid-x-mcp': define<{ key: string; expected: string }>({
    code: 'MCPG228',
    severity: 'warning',
    message: ({ key, expected }) => `${key} should be ${expected}. It is ignored.`,
    hint: 'x-mcp is true, false, or an object with name, title, description, annotations, scopes, resource and icons.',
    docs: {
      cause: 'The extension `x-mcp` controls how an operation is served. This value is invalid.',
      fix: 'Correct the value.',
      example: 'x-mcp: { scopes: "pets:read" }',
    },
  }),
  'unknown-x-mcp-key': define<{ key: string; suggestion: string }>({
    code: 'MCPG229',
    severity: 'warning',
    message: ({ key }) => `x-mcp has no member ${key}, so it has no effect.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Members are name, title, description, annotations, scopes, resource, icons and enabled.'
        : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause: 'The key is misspelt, or belongs to another tool.',
      fix: 'Correct or remove it. Members are name, title, description, annotations, scopes, resource, icons and enabled.',
      example: 'x-mcp: { titel: Pets }',
    },
  }),
  'invalid-prompt': define<{ problem: string }>({
    code: 'MCPG230',
    severity: 'warning',
    message: ({ problem }) => `A prompt of x-mcp-prompts is omitted or incomplete: ${problem}.`,
    hint: 'A prompt needs a name, and `messages` of {role, text} or a `template`.',
    docs: {
      cause: 'The prompt cannot be served as written.',
      fix: 'Correct it.',
      example: 'x-mcp-prompts: [{ name: plan }]',
    },
  }),
  'unknown-prompt-placeholder': define<{ placeholder: string; prompt: string; suggestion: string }>({
    code: 'MCPG231',
    severity: 'warning',
    message: ({ placeholder, prompt }) =>
      `The prompt ${prompt} uses {{${placeholder}}}, but has no such argument. The placeholder stays in the text.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Add it to `arguments`.' : `Did you mean \`{{${suggestion}}}\`?`,
    docs: {
      cause: 'The value of the argument with the same name replaces a placeholder.',
      fix: 'Add the argument, or correct the placeholder.',
      example: 'x-mcp-prompts: [{ name: plan, template: "Plan {{city}}" }]',
    },
  }),
};
