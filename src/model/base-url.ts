import type { ServerBinding } from './bindings.ts';

/** An example of the base URL that a document without a host needs: with the path of its first server. */
export function exampleBaseUrl([server]: readonly ServerBinding[]): string {
  const path = server?.url.replace(/^\/*/, '/').replace(/\/+$/, '') ?? '';
  return `https://api.example.com${/[^\w./~-]/.test(path) ? '' : path}`;
}
