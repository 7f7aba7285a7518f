// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** An environment variable in words: for `--help`, and for the compiler's `.env.example` and README. */
export interface EnvironmentVariable {
  name: string;
  description: string;
  secret: boolean;
  /** The server is of no use without it. */
  required: boolean;
  default?: string;
}

/**
 * These steer Node, the loader of the operating system or which file is read, so they come from the environment alone.
 * Windows doesn't tell upper from lower case.
 */
const ENVIRONMENT_ALONE = /^(?:(?:NODE|LD|DYLD|OPENSSL|SSL_CERT)_.*|PATH|MCP_DOTENV)$/i;

/** Whether `.env` may set it. */
export function isForFile(name: string): boolean {
  return !ENVIRONMENT_ALONE.test(name);
}

export function plain(name: string, description: string, value?: string): EnvironmentVariable {
  const variable = { name, description, secret: false, required: false };
  return value === undefined ? variable : { ...variable, default: value };
}

export function secret(name: string, description: string): EnvironmentVariable {
  return { ...plain(name, description), secret: true };
}
