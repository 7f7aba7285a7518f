/**
 * An operation's key without the names of its variables. OpenAPI treats paths that differ only in these as identical
 * (3.1, 4.8.8 "Paths Object").
 */
export function operationShape(key: string): string {
  return key.replace(/\{[^{}]*\}/g, '{}');
}
