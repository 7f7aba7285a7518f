/** MCPG5xx: the origins that credentials are sent to, as `mcpgen.lock` remembers them. */
import { define } from '../../define.ts';

export const originDiagnostics = {
  'origin-not-accepted': define<{ file: string; places: string; origins: string; command: string }>({
    code: 'MCPG580',
    severity: 'error',
    message: ({ file, places }) =>
      `The server would send credentials to origins that ${file} does not name: ${places}. Nothing was written.`,
    hint: ({ origins, command }) =>
      command === ''
        ? `If the API's operator confirms them, pass \`acceptOrigins: ${origins}\`.`
        : `If the API's operator confirms them, run \`${command}\`.`,
    docs: {
      cause:
        'The lock stores the origins that receive each credential: those of servers, of servers of single operations and of token endpoints. The document, an overlay or `baseUrl` now names another one. Otherwise, anyone who can change a document could redirect credentials to their own host.',
      fix: "Ask the API's operator whether it moved, independently of the document. If so, run the command in the message: `--accept-origin` takes one exact origin and can be repeated. A configuration cannot contain it, since it comes with the document. If the API did not move, restore the old document.",
      example: 'servers: [{ url: https://api.example.com }] # https://api2.example.com by now',
    },
  }),
  'credential-origins': define<{ places: string }>({
    code: 'MCPG581',
    severity: 'info',
    message: ({ places }) =>
      `The server sends credentials to ${places}. mcpgen.lock stores these origins, and any other origin becomes an error.`,
    hint: "Before you set the variables, compare the origins with the API's documentation.",
    docs: {
      cause:
        'This is the first compilation of the project, so no origins are known. The message lists each origin with the variables that it receives.',
      fix: 'Nothing. If an origin is not part of the API, do not set the variables, and correct the document or set `baseUrl`.',
    },
  }),
  'credential-added': define<{ places: string }>({
    code: 'MCPG582',
    severity: 'info',
    message: ({ places }) => `The server can send new credentials to known origins: ${places}.`,
    hint: 'The server sends nothing until the variables are set.',
    docs: {
      cause:
        'The document has a new or renamed security scheme. Its variables are new, but the lock already names the origin for another credential.',
      fix: 'Nothing. If the new scheme is correct, set the variables.',
    },
  }),
  'requests-elsewhere': define<{ file: string; origins: string }>({
    code: 'MCPG583',
    severity: 'warning',
    message: ({ file, origins }) =>
      `Requests without credentials go to origins that ${file} does not name: ${origins}. They contain tool arguments, and headers that a hook adds or that the server passes on.`,
    hint: "Ask the API's operator whether it moved.",
    docs: {
      cause:
        'The document, an overlay or `baseUrl` names another server for operations without credentials. It receives data from callers, but no variables of security schemes.',
      fix: 'Nothing, if the API moved: the lock now names the origin. With `--strict` this is an error; `--accept-origin` allows the origin.',
    },
  }),
  'origins-taken-up': define<{ file: string }>({
    code: 'MCPG584',
    severity: 'info',
    message: ({ file }) =>
      `${file} lists no origins for credentials, or its list was edited. mcpgen uses the project’s generated bindings instead.`,
    hint: 'Run `mcpgen generate` and commit the lock, which then lists them.',
    docs: {
      cause:
        'mcpgen 0.1.0 stored no origins in the lock, or someone or a merge changed the list, which has its own hash. mcpgen then reads the origins from `src/generated/bindings.json`, if that file matches the lock. Otherwise, no origin is known, and each needs to be accepted.',
      fix: 'Nothing: the next `mcpgen generate` writes the list. To add an origin, use `--accept-origin` instead of editing the lock.',
    },
  }),
};
