/** The methods with a field of their own in a Path Item; `query` since OpenAPI 3.2. */
export const methods = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'query',
] as const;

/** The other fields of a Path Item. */
export const pathFields = [
  '$ref',
  'summary',
  'description',
  'servers',
  'parameters',
  'additionalOperations',
] as const;
