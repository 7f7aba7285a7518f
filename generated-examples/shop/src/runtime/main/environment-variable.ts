/** An environment variable in words: for `--help`, and for the compiler's `.env.example` and README. */
export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  /** The server is of no use without it. */
  required: boolean;
  default?: string;
}

export function plain(name: string, description: string): EnvironmentVariable {
  return { name, description, secret: false, required: false };
}

export function secret(name: string, description: string): EnvironmentVariable {
  return { ...plain(name, description), secret: true };
}
