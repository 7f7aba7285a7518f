/** MCPG5xx: the origins that credentials are sent to, as `mcpgen.lock` remembers them. */
import { define } from '../../define.ts';

export const originDiagnostics = {
  'origin-not-accepted': define<{ file: string; places: string; origins: string; command: string }>({
    code: 'MCPG580',
    severity: 'error',
    message: ({ file, places }) =>
      `Credentials would go to origins that ${file} does not name: ${places}. Nothing was written.`,
    hint: ({ origins, command }) =>
      command === ''
        ? `If whoever runs the API confirms it, pass \`acceptOrigins: ${origins}\`.`
        : `If whoever runs the API confirms it, run \`${command}\`.`,
    docs: {
      cause:
        'The lock remembers the origins that each credential is sent to: those of servers, of the servers of single operations and of token endpoints. The document, an overlay or `baseUrl` names another one now. Whoever can change a document could otherwise have the server send its credentials to a host of their own.',
      fix: 'Ask whoever runs the API whether it has moved, by another way than the document. If it has, run the command that the message shows: `--accept-origin` takes one origin, exactly, and can be repeated. No configuration can hold it, since a configuration comes with the document. If the API has not moved, go back to the document that you had.',
      example: 'servers: [{ url: https://api.example.com }] # https://api2.example.com by now',
    },
  }),
  'credential-origins': define<{ places: string }>({
    code: 'MCPG581',
    severity: 'info',
    message: ({ places }) =>
      `The server sends credentials to ${places}. A run that would send them to another origin is an error, once mcpgen.lock has these.`,
    hint: 'Compare the origins with the documentation of the API before you set the variables.',
    docs: {
      cause:
        'This is the first compilation of the project, so nothing is known of its origins. The message lists each origin with the variables whose values are sent there.',
      fix: 'Nothing needs fixing. Where an origin is not that of the API, do not set the variables, and correct the document or set `baseUrl`.',
    },
  }),
  'credential-added': define<{ places: string }>({
    code: 'MCPG582',
    severity: 'info',
    message: ({ places }) =>
      `The server can send new credentials, to origins that get others already: ${places}.`,
    hint: 'Nothing is sent until the variables are set.',
    docs: {
      cause:
        'The document has a security scheme that it did not have before, or calls one otherwise. Its variables are new, and the origin is one that the lock names for another credential.',
      fix: 'Nothing needs fixing. Set the variables if the new scheme is meant.',
    },
  }),
  'requests-elsewhere': define<{ file: string; origins: string }>({
    code: 'MCPG583',
    severity: 'warning',
    message: ({ file, origins }) =>
      `Requests without credentials go to origins that ${file} does not name: ${origins}. They hold arguments of tools, and headers that a hook adds or that the server passes on.`,
    hint: 'Ask whoever runs the API whether it has moved.',
    docs: {
      cause:
        'The document, an overlay or `baseUrl` names another server for operations that need no credential. No variable of a security scheme goes there, but what callers send does.',
      fix: 'If the API has moved, nothing needs fixing: the lock names the origin from now on. With `--strict` the warning is an error, which `--accept-origin` answers.',
    },
  }),
  'origins-taken-up': define<{ file: string }>({
    code: 'MCPG584',
    severity: 'info',
    message: ({ file }) =>
      `${file} does not say where credentials go, or was edited there. The project’s generated bindings count instead.`,
    hint: 'Run `mcpgen generate` and commit the lock, which says it from then on.',
    docs: {
      cause:
        'mcpgen 0.1.0 wrote no origins into locks. Or a person or a merge has changed the list, which has a hash of its own. The origins are then read from `src/generated/bindings.json`, if that file is as the lock has it; otherwise none is known, and each has to be accepted.',
      fix: 'Nothing needs fixing: the next `mcpgen generate` writes the list. To add an origin use `--accept-origin`, not an edit of the lock.',
    },
  }),
};
