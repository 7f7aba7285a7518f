import { removeInvisible } from '../model/clean-prose.ts';

/** A variable of the environment, for `.env.example`, the README and what is published. */
export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  required: boolean;
  default?: string;
}

export function plainVariable(name: string, description: string, value?: string): EnvironmentVariable {
  // The text may hold names and values of the document, so invisible characters are removed.
  const variable = { name, description: removeInvisible(description), secret: false, required: false };
  return value === undefined ? variable : { ...variable, default: value };
}

export function secretVariable(name: string, description: string): EnvironmentVariable {
  return { ...plainVariable(name, description), secret: true };
}
