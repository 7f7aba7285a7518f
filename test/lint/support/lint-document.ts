/** Lints a document that a test writes as an object. */
import { lint, type LintOptions, type LintReport } from '../../../src/index.ts';

export interface Given {
  paths: object;
  components?: object;
  info?: object;
}

export async function lintDocument(given: Given, options: Partial<LintOptions> = {}): Promise<LintReport> {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example' }],
    ...given,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return lint({ source: '-', stdin: () => Promise.resolve(bytes), ...options });
}

/** An operation that answers with 200 alone. */
export function operation(rest: object = {}): object {
  return { responses: { 200: { description: 'OK' } }, ...rest };
}

export function query(name: string, rest: object = {}): object {
  return { name, in: 'query', schema: { type: 'string' }, ...rest };
}
