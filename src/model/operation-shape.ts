/**
 * An operation's key (`GET /pets/{petId}`) without the names of its variables. OpenAPI holds paths that differ in these alone
 * to be the same (3.1, 4.8.8 "Paths Object": "identical").
 */
export function operationShape(key: string): string {
  return key.replace(/\{[^{}]*\}/g, '{}');
}
