/** The model breaks an invariant: a bug of mcpgen, never a problem of the source. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
}

export function fail(what: string, problem: string): never {
  throw new ModelError(`${what} ${problem}`);
}
