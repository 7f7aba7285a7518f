import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

export interface JsonSyntaxError {
  /** Offset in UTF-16 code units. */
  offset: number;
  /** A clause without full stop: `close brace expected`. */
  problem: string;
}

/** Finds the first syntax error of a JSON text that `JSON.parse` has refused, since the engine's message names no stable place. */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch (error) {
    // The library recurses, so a text of brackets alone exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors[0] && describeParseError(errors[0]);
}

export function describeParseError({ error, offset }: ParseError): JsonSyntaxError {
  const problem = printParseErrorCode(error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
  return { offset, problem: problem.toLowerCase() };
}
