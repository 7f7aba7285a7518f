/** The part of an exchange that a verdict is read from. */
export interface Answered {
  status: number;
  answerHeaders: Record<string, string | undefined>;
  answerText: string;
}

/** What Steady has against the request; undefined when it is valid. No verdict is a fault too. */
export function steadyFault(answered: Answered): string | undefined;

/** What Prism has against the request; undefined when it has nothing, whatever it says of its own answer. */
export function prismFault(answered: Answered): string | undefined;
