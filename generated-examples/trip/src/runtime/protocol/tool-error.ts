/**
 * Thrown by the project's own code for whoever called: its message is the answer, in words a model can act on. What is
 * thrown otherwise by a function is a mistake of the server's: it is logged, and the caller learns that it happened.
 */
export class ToolError extends Error {
  override name = 'ToolError';
}
