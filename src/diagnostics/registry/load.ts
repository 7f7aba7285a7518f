/** MCPG1xx: reading a source: files, URLs, syntax, references between files. */
import { codeSpan } from '../code-span.ts';
import { define } from '../define.ts';
import { type ReferenceTarget, fateOf } from '../reference-fate.ts';

/** `main:api.yaml`, as git has it; a single letter is a drive of Windows. */
const revisionAndFile = /^[^:]{2,}:[^/\\]/;

export const loadDiagnostics = {
  'source-not-found': define<{ source: string }>({
    code: 'MCPG101',
    severity: 'error',
    message: ({ source }) => `There is no file ${source}.`,
    hint: ({ source }) =>
      revisionAndFile.test(source)
        ? 'A file of a revision in git is piped in: `git show <revision>:<file> | mcpgen diff - <file>`.'
        : 'Check the path; it is taken relative to the working folder.',
    docs: {
      cause: 'The source named on the command line does not exist, so there is nothing to compile.',
      fix: 'Give the path of an existing OpenAPI document, a URL, or `-` for standard input.',
      example: 'mcpgen openapi does-not-exist.yaml',
    },
  }),
  'source-is-a-folder': define<{ source: string }>({
    code: 'MCPG102',
    severity: 'error',
    message: ({ source }) => `${source} is a folder, not an OpenAPI document.`,
    hint: 'Name the document itself, for example `openapi.yaml` in that folder.',
    docs: {
      cause: 'A folder was named where a document is expected. mcpgen does not guess which file is meant.',
      fix: 'Give the path of the entry document. Files it references are found from there.',
      example: 'mcpgen openapi ./specs',
    },
  }),
  'source-unreadable': define<{ source: string; reason: string }>({
    code: 'MCPG103',
    severity: 'error',
    message: ({ source, reason }) => `${source} cannot be read: ${reason}.`,
    hint: 'Check that the file may be read by you and is a regular file.',
    docs: {
      cause: 'The operating system refused to hand over the content of the source.',
      fix: 'Correct the permissions, or copy the document to a place you can read.',
    },
  }),
  'source-empty': define<{ source: string }>({
    code: 'MCPG104',
    severity: 'error',
    message: ({ source }) => `${source} is empty: there is nothing to compile.`,
    hint: ({ source }) =>
      source === '<stdin>'
        ? 'The command before the pipe has printed nothing. `git show <revision>:<file>` prints nothing where that revision has no such file: then there is no older version to compare with, and `git cat-file -e <revision>:<file>` tells beforehand.'
        : 'An OpenAPI document starts with `openapi: 3.1.0` (or `swagger: "2.0"`).',
    docs: {
      cause: 'The source has no content, or only white space and comments.',
      fix: 'Name a document with content. With `-`, check that the command before the pipe prints something.',
    },
  }),
  'source-not-text': define<{ source: string; reason: string }>({
    code: 'MCPG105',
    severity: 'error',
    message: ({ source, reason }) => `${source} is not UTF-8 text: ${reason}.`,
    hint: 'Save the document as UTF-8. A compressed document has to be unpacked first.',
    docs: {
      cause:
        'OpenAPI documents are JSON or YAML text in UTF-8. This source holds other bytes, so it may be an image, an archive, or text in another encoding.',
      fix: 'Name the right file, or convert it to UTF-8.',
    },
  }),
  'source-too-large': define<{ source: string; limit: number }>({
    code: 'MCPG106',
    severity: 'error',
    message: ({ source, limit }) => `${source} is larger than ${limit} bytes, the limit for one document.`,
    hint: 'Check that this is the right file.',
    docs: {
      cause:
        'A document above the limit is most likely not an OpenAPI document, and reading it could use up all memory.',
      fix: 'Split the document into several files, or raise the limit when you call the API.',
    },
  }),
  'invalid-json': define<{ source: string; problem: string }>({
    code: 'MCPG107',
    severity: 'error',
    message: ({ source, problem }) => `${source} is not valid JSON: ${problem}.`,
    hint: 'Correct the syntax at this place. Comments and trailing commas are not allowed in JSON.',
    docs: {
      cause:
        'The document starts with `{` or `[`, so it is read as JSON, and it breaks the rules of JSON (RFC 8259).',
      fix: 'Correct the document at the place named. A YAML document must not start with a brace.',
      example: '{ "openapi": "3.1.0", }',
    },
  }),
  'invalid-yaml': define<{ source: string; problem: string }>({
    code: 'MCPG108',
    severity: 'error',
    message: ({ source, problem }) => `${source} is not valid YAML: ${problem}.`,
    hint: 'Correct the syntax at this place; wrong indentation is the usual cause.',
    docs: {
      cause: 'The document breaks the rules of YAML 1.2, so its meaning is not known.',
      fix: 'Correct the document at the place named. Put text that holds `: ` or ` #` in quotes.',
      example: 'openapi: 3.1.0\ninfo: [title',
    },
  }),
  'several-yaml-documents': define<{ source: string; count: number }>({
    code: 'MCPG109',
    severity: 'error',
    message: ({ source, count }) => `${source} holds ${count} YAML documents, and only one can be compiled.`,
    hint: 'Remove the `---` lines between them, or put each document in its own file.',
    docs: {
      cause: 'A line `---` starts a new YAML document. An OpenAPI description is one document.',
      fix: 'Split the file, and compile the document you want.',
      example: 'openapi: 3.1.0\n---\nopenapi: 3.1.0',
    },
  }),
  'duplicate-key': define<{ key: string }>({
    code: 'MCPG110',
    severity: 'warning',
    message: ({ key }) =>
      `The key ${key} stands twice in one mapping. The last one wins, the others are lost.`,
    hint: 'Remove or rename one of them.',
    docs: {
      cause:
        'YAML demands unique keys, and JSON readers take the last of two equal ones: the other value is lost without a sign. Up to 20 places of a document are reported. In JSON documents above 4 MiB such keys are looked for only by `mcpgen inspect` and with `--strict`, since looking takes time.',
      fix: 'Merge the two entries, or rename one.',
      example: 'paths:\n  /pets: {}\n  /pets: {}',
    },
  }),
  'unsupported-scheme': define<{ source: string; scheme: string }>({
    code: 'MCPG124',
    severity: 'error',
    message: ({ source, scheme }) =>
      `${source} cannot be read: the scheme ${scheme} is not supported, only http and https are.`,
    hint: ({ scheme }) =>
      scheme.toLowerCase() === 'file'
        ? 'Give the path of the file without the scheme.'
        : 'Download the document and compile the file.',
    docs: {
      cause: 'A source is a path, a URL with http or https, or `-` for standard input.',
      fix: 'Fetch the document with a program that knows the scheme, and give its path; or pipe it in with `-`.',
      example: 'mcpgen openapi ftp://example.com/openapi.yaml',
    },
  }),
  'lone-surrogate': define<{ text: string }>({
    code: 'MCPG123',
    severity: 'warning',
    message: ({ text }) =>
      `The text ${text} holds half of a surrogate pair, which is no character and cannot be sent. U+FFFD stands in its place.`,
    hint: 'Write the character itself, or both halves, such as `\\ud83d\\ude00`.',
    docs: {
      cause:
        'Characters beyond U+FFFF are written as two escapes. One of them alone has no form in UTF-8, and many clients refuse a whole message that holds one. Up to 20 places of a document are reported.',
      fix: 'Correct the escape. It often comes from a text that was cut in the middle of a character.',
      example: '{ "enum": ["\\ud800"] }',
    },
  }),
  'url-unreachable': define<{ url: string; reason: string }>({
    code: 'MCPG111',
    severity: 'error',
    message: ({ url, reason }) => `${url} could not be reached: ${reason}.`,
    hint: 'Check the address and your connection, or download the document and compile the file.',
    docs: {
      cause:
        'No answer came from the server: its name is unknown, it refused the connection, or the connection broke.',
      fix: 'Open the URL in a browser. When a proxy or a login is needed, download the document first.',
    },
  }),
  'url-status': define<{ url: string; status: number }>({
    code: 'MCPG112',
    severity: 'error',
    message: ({ url, status }) => `${url} answered with HTTP status ${status} instead of a document.`,
    hint: ({ status }) =>
      status === 401 || status === 403
        ? 'The document needs a login: download it and compile the file.'
        : 'Check the address.',
    docs: {
      cause: 'The server was reached, and did not hand out the document.',
      fix: 'Correct the address. When a login is needed, download the document first.',
    },
  }),
  'too-many-redirects': define<{ url: string; limit: number }>({
    code: 'MCPG113',
    severity: 'error',
    message: ({ url, limit }) =>
      `${url} redirects more than ${limit} times, so the document is never reached.`,
    hint: 'Give the final address of the document.',
    docs: {
      cause:
        'The server sends the reader from address to address, often in a circle because a login or a cookie is missing.',
      fix: 'Give the address at which a browser ends, or download the document.',
    },
  }),
  'url-timeout': define<{ url: string; seconds: number }>({
    code: 'MCPG114',
    severity: 'error',
    message: ({ url, seconds }) => `${url} did not hand out the document within ${seconds} seconds.`,
    hint: 'Try again, or download the document and compile the file.',
    docs: {
      cause: 'The server accepted the connection and was too slow to answer.',
      fix: 'Try again later, or download the document.',
    },
  }),
  'remote-ref-refused': define<{ ref: string; host: string; target: ReferenceTarget }>({
    code: 'MCPG115',
    severity: 'warning',
    message: ({ ref, host, target }) =>
      `The reference ${ref} leads to the host ${host}, which is not allowed. ${fateOf(target)}`,
    hint: ({ host }) => `Allow it with \`--allow-remote-refs ${host}\`, or keep a copy beside the document.`,
    docs: {
      cause:
        'A document may name any address in a `$ref`. Fetching it without asking would let a foreign document probe your network, so remote references are off.',
      fix: 'Allow the hosts you trust with `--allow-remote-refs <host>`, or download the referenced files. A host of your own network is only asked when its address is allowed beside its name.',
      example: '$ref: https://example.com/schemas.yaml#/Pet',
    },
  }),
  'ref-outside-root': define<{ ref: string; root: string; target: ReferenceTarget }>({
    code: 'MCPG116',
    severity: 'warning',
    message: ({ ref, root, target }) =>
      `The reference ${ref} leads to a file outside ${root}, so it is not read. ${fateOf(target)}`,
    hint: 'Move the file inside, or name a wider folder with `--ref-root`.',
    docs: {
      cause:
        'A document may name any file in a `$ref`. Only files below the root are read: the nearest folder upward that holds `.git` or `package.json`, else the folder of the document. Symbolic links are followed before the check.',
      fix: 'Move the file below the root, or set the root with `--ref-root dir`.',
      example: '$ref: ../../../etc/passwd',
    },
  }),
  'ref-unreadable': define<{ ref: string; reason: string; target: ReferenceTarget }>({
    code: 'MCPG117',
    severity: 'warning',
    message: ({ ref, reason, target }) =>
      `The reference ${ref} leads to a document that cannot be read: ${reason}. ${fateOf(target)}`,
    hint: 'Correct the reference or the document it leads to.',
    docs: {
      cause: 'The referenced file or address does not exist, is not JSON or YAML, or is above a limit.',
      fix: 'Correct the reference. It is relative to the file it stands in.',
      example: '$ref: ./missing.yaml',
    },
  }),
  'dangling-ref': define<{ ref: string; suggestion: string; target: ReferenceTarget }>({
    code: 'MCPG118',
    severity: 'warning',
    message: ({ ref, target }) => `The reference ${ref} leads to nothing. ${fateOf(target)}`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Correct the reference, or add what it names.'
        : `Did you mean ${codeSpan(suggestion)}?`,
    docs: {
      cause: 'The document was found, and has nothing at the place the reference names.',
      fix: 'Check the spelling. In a JSON Pointer `/` inside a name is written `~1`, and `~` is written `~0`.',
      example: "$ref: '#/components/schemas/Missing'",
    },
  }),
  'circular-ref': define<{ what: string; ref: string; target: ReferenceTarget }>({
    code: 'MCPG119',
    severity: 'warning',
    message: ({ what, ref, target }) =>
      `${what} is nowhere to be found: its reference ${ref} leads in a circle of references. ${fateOf(target)}`,
    hint: 'Let one of the references in the circle be a real object.',
    docs: {
      cause:
        'References that only lead to references in a circle describe nothing. Recursion through properties or items is fine.',
      fix: 'Replace one reference of the circle by the object that is meant.',
      example: 'A: { $ref: "#/components/schemas/B" }\nB: { $ref: "#/components/schemas/A" }',
    },
  }),
  'invalid-ref': define<{ ref: string; reason: string; target: ReferenceTarget }>({
    code: 'MCPG120',
    severity: 'warning',
    message: ({ ref, reason, target }) => `The reference ${ref} cannot be used: ${reason}. ${fateOf(target)}`,
    hint: 'A reference is a URI, such as `#/components/schemas/Pet` or `./pet.yaml`.',
    docs: {
      cause:
        'The value of `$ref` is not text, is not a URI, or uses a scheme other than file, http and https.',
      fix: 'Write a relative or absolute URI, with a JSON Pointer after `#`.',
      example: '$ref: 12',
    },
  }),
  'source-too-deep': define<{ source: string; limit: number }>({
    code: 'MCPG121',
    severity: 'error',
    message: ({ source, limit }) =>
      `${source} nests deeper than ${limit} levels, the limit for one document.`,
    hint: 'Move inner schemas to `components/schemas` and reference them.',
    docs: {
      cause:
        'Such depth does not occur in documents made by people, and can exhaust a reader. The limit is 200 levels in YAML and 1,000 in JSON.',
      fix: 'Use references instead of nesting.',
    },
  }),
  'too-many-references': define<{ limit: number }>({
    code: 'MCPG122',
    severity: 'warning',
    message: ({ limit }) =>
      `The document has more than ${limit} different references. The rest are not followed: schemas accept anything there, and everything else is left out.`,
    hint: 'Split the API into several documents, and compile each.',
    docs: {
      cause: 'The number of references is limited, so that a hostile document cannot exhaust memory.',
      fix: 'Split the document, or raise the limit when you call the API.',
    },
  }),
  'invalid-overlay': define<{ overlay: string; problem: string }>({
    code: 'MCPG125',
    severity: 'error',
    message: ({ overlay, problem }) => `The overlay ${overlay} cannot be used: ${problem}.`,
    hint: 'An overlay has `overlay: 1.1.0`, `info` with `title` and `version`, and `actions`, each with a `target`.',
    docs: {
      cause:
        'The file is not an OpenAPI Overlay of version 1.0 or 1.1: a member is missing, unknown or of the wrong kind.',
      fix: 'Correct the place named. Members of your own begin with `x-`.',
      example:
        'overlay: 1.1.0\ninfo: { title: Names for tools, version: 1.0.0 }\nactions:\n  - target: $.paths["/pets"].get\n    update: { x-mcp: { name: list_pets } }',
    },
  }),
  'idle-overlay-action': define<{ target: string; reason: string }>({
    code: 'MCPG126',
    severity: 'warning',
    message: ({ target, reason }) => `The action on ${codeSpan(target)} changes nothing: ${reason}.`,
    hint: 'Correct the action, or take it out. The document may have changed since it was written.',
    docs: {
      cause:
        'An overlay is applied to the document as it is. What an action was written for may have been renamed or removed, or an earlier action has removed it.',
      fix: 'Look for the place in the document, and correct `target`, a JSONPath query (RFC 9535). A path template is one key: `$.paths["/pets/{id}"].get`.',
    },
  }),
  'overlay-misfit': define<{ target: string; problem: string }>({
    code: 'MCPG127',
    severity: 'error',
    message: ({ target, problem }) => `The action on ${codeSpan(target)} cannot be carried out: ${problem}.`,
    hint: 'Objects are merged into objects, lists and items are appended to lists, plain values replace plain values. To replace something by another kind of thing, remove it in an action before.',
    docs: {
      cause:
        'The query is not JSONPath, or what the action adds does not go with what is there. The Overlay Specification calls this an error, so nothing is compiled.',
      fix: 'Correct the action. An action that removes, and one after it that updates the object around, replace anything.',
    },
  }),
  'overlay-of-another': define<{ extended: string; source: string }>({
    code: 'MCPG128',
    severity: 'info',
    message: ({ extended, source }) =>
      `The overlay was written for ${extended}, and is applied to ${source}.`,
    hint: 'Nothing is to be done when both are the same API. Otherwise name the overlay that belongs to it.',
    docs: {
      cause: '`extends` of the overlay names another document than the one that is compiled.',
      fix: 'Correct `extends`, or leave it out. mcpgen never loads what it names.',
    },
  }),
  'overlay-not-written': define<{ file: string; problem: string }>({
    code: 'MCPG129',
    severity: 'error',
    message: ({ file, problem }) => `The overlay ${file} was not written: ${problem}.`,
    hint: 'Name another file with `-o`; or overwrite it with `--force`, which keeps it as .orig. With `--overlay` and its name what it says is in the new one.',
    docs: {
      cause: '`mcpgen overlay init` never overwrites a file unasked, since an author may have worked on it.',
      fix: 'Name another file with `-o`, print it with `-o -`, or overwrite with `--force`.',
      example: 'mcpgen overlay init petstore.yaml -o there-is-one-already.yaml',
    },
  }),
  'overlay-too-costly': define<{ target: string; problem: string }>({
    code: 'MCPG130',
    severity: 'error',
    message: ({ target, problem }) => `The action on ${codeSpan(target)} takes too much work: ${problem}.`,
    hint: 'Name the way to the values instead of searching with `..`, filter once, and compare with `==` where no pattern is needed.',
    docs: {
      cause:
        'A JSONPath query may search the whole document for each value of the document, and a pattern may be tried in countless ways. An overlay is often written by somebody else, so that the work of its queries is bounded: values looked at by all of them, values that a filter holds, and patterns that cannot be matched without backtracking.',
      fix: 'Write the query without a filter inside a filter. For honest overlays of very large documents, apply them in several runs.',
      example: 'target: $..[?@..[?@..a]]',
    },
  }),
};
