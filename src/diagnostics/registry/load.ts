import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { skillDiagnostics } from './skills.ts';

const fates = {
  schema: 'The schema accepts anything.',
  path: 'The operations behind it are left out.',
  parameter: 'The parameter is left out.',
  mapping: 'Its entry in the mapping is left out.',
  example: 'There is one example less.',
  other: 'Its target is left out.',
};

export type ReferenceTarget = keyof typeof fates;

/** The effect as a sentence. Placeholders of `mcpgen explain` stay as they are. */
function describeReferenceEffect(target: ReferenceTarget): string {
  const known: Partial<Record<string, string>> = fates;
  return known[target] ?? target;
}

/** `main:api.yaml`, as git has it; a single letter is a drive of Windows. */
const revisionAndFile = /^[^:]{2,}:[^/\\]/;

export const loadDiagnostics = {
  'source-not-found': defineDiagnostic<{ source: string }>({
    code: 'MCPG101',
    severity: 'error',
    message: ({ source }) => `The file ${source} does not exist.`,
    hint: ({ source }) =>
      revisionAndFile.test(source)
        ? 'To read a file of a git revision, pipe it in: `git show <revision>:<file> | mcpgen diff - <file>`.'
        : 'Check the path, which is relative to the working folder.',
    docs: {
      cause: 'The source on the command line does not exist, so there is nothing to compile.',
      fix: 'Use the path of an OpenAPI document, a URL, or `-` for standard input.',
      example: 'mcpgen openapi does-not-exist.yaml',
    },
  }),
  'source-is-a-folder': defineDiagnostic<{ source: string }>({
    code: 'MCPG102',
    severity: 'error',
    message: ({ source }) => `${source} is a folder, not an OpenAPI document.`,
    hint: 'Name the document itself, such as `openapi.yaml` in that folder.',
    docs: {
      cause: 'A folder was named instead of a document. mcpgen does not guess which file to use.',
      fix: 'Use the path of the entry document, which leads to the files it references.',
      example: 'mcpgen openapi ./specs',
    },
  }),
  'source-unreadable': defineDiagnostic<{ source: string; reason: string; hint?: string }>({
    code: 'MCPG103',
    severity: 'error',
    message: ({ source, reason }) => `${source} cannot be read: ${reason}.`,
    hint: ({ hint = 'Check that it is a regular file and that you may read it.' }) => hint,
    docs: {
      cause: 'The operating system refused to read the source.',
      fix: 'Correct the permissions, or copy the document to a readable place.',
    },
  }),
  'source-empty': defineDiagnostic<{ source: string }>({
    code: 'MCPG104',
    severity: 'error',
    message: ({ source }) => `${source} is empty, so there is nothing to compile.`,
    hint: ({ source }) =>
      source === '<stdin>'
        ? 'The command before the pipe printed nothing. `git show <revision>:<file>` prints nothing if that revision lacks the file; `git cat-file -e <revision>:<file>` checks this first.'
        : 'An OpenAPI document starts with `openapi: 3.1.0` (or `swagger: "2.0"`).',
    docs: {
      cause: 'The source contains nothing, or only white space and comments.',
      fix: 'Name a document with content. With `-`, check that the command before the pipe prints something.',
    },
  }),
  'source-not-text': defineDiagnostic<{ source: string; reason: string }>({
    code: 'MCPG105',
    severity: 'error',
    message: ({ source, reason }) => `${source} is not UTF-8 text: ${reason}.`,
    hint: 'Save the document as UTF-8, and unpack compressed documents first.',
    docs: {
      cause:
        'OpenAPI documents are JSON or YAML in UTF-8. This source has other bytes, such as an image, an archive, or text in another encoding.',
      fix: 'Use the right file, or convert it to UTF-8.',
    },
  }),
  'source-too-large': defineDiagnostic<{ source: string; limit: number }>({
    code: 'MCPG106',
    severity: 'error',
    message: ({ source, limit }) => `${source} is larger than ${limit} bytes, the limit for one document.`,
    hint: 'Check that this is the right file.',
    docs: {
      cause: 'A document above the limit is most likely not an OpenAPI document, and could exhaust memory.',
      fix: 'Split the document into several files, or raise the limit in the API call.',
    },
  }),
  'invalid-json': defineDiagnostic<{ source: string; problem: string }>({
    code: 'MCPG107',
    severity: 'error',
    message: ({ source, problem }) => `${source} is not valid JSON: ${problem}.`,
    hint: 'Correct the syntax here. JSON allows no comments and no trailing commas.',
    docs: {
      cause: 'The document starts with `{` or `[`, so mcpgen reads it as JSON, but it violates RFC 8259.',
      fix: 'Correct the document at this place. YAML documents must not start with a brace.',
      example: '{ "openapi": "3.1.0", }',
    },
  }),
  'invalid-yaml': defineDiagnostic<{ source: string; problem: string }>({
    code: 'MCPG108',
    severity: 'error',
    message: ({ source, problem }) => `${source} is not valid YAML: ${problem}.`,
    hint: 'Correct the syntax here; the usual cause is wrong indentation.',
    docs: {
      cause: 'The document violates YAML 1.2, so its meaning is unknown.',
      fix: 'Correct the document at this place. Quote text that contains `: ` or ` #`.',
      example: 'openapi: 3.1.0\ninfo: [title',
    },
  }),
  'several-yaml-documents': defineDiagnostic<{ source: string; count: number }>({
    code: 'MCPG109',
    severity: 'error',
    message: ({ source, count }) =>
      `${source} contains ${count} YAML documents, but mcpgen compiles only one.`,
    hint: 'Remove the `---` lines between them, or put each document into its own file.',
    docs: {
      cause: 'A line `---` starts a new YAML document. An OpenAPI description is one document.',
      fix: 'Split the file, and compile one of the parts.',
      example: 'openapi: 3.1.0\n---\nopenapi: 3.1.0',
    },
  }),
  'duplicate-key': defineDiagnostic<{ key: string }>({
    code: 'MCPG110',
    severity: 'warning',
    message: ({ key }) =>
      `The key ${key} occurs twice in one mapping. The last one is used, the others are lost.`,
    hint: 'Remove or rename one of them.',
    docs: {
      cause:
        'YAML requires unique keys, and JSON readers silently keep only the last one. mcpgen reports up to 20 places per document. Above 4 MiB of JSON, only `mcpgen inspect` and `--strict` check this, since it takes time.',
      fix: 'Merge the two entries, or rename one.',
      example: 'paths:\n  /pets: {}\n  /pets: {}',
    },
  }),
  'unsupported-scheme': defineDiagnostic<{ source: string; scheme: string }>({
    code: 'MCPG124',
    severity: 'error',
    message: ({ source, scheme }) =>
      `${source} cannot be read: the scheme ${scheme} is not supported. Use http or https.`,
    hint: ({ scheme }) =>
      scheme.toLowerCase() === 'file'
        ? 'Use the path of the file without the scheme.'
        : 'Download the document and compile the file.',
    docs: {
      cause: 'A source is a path, an http or https URL, or `-` for standard input.',
      fix: 'Download the document and use its path, or pipe it in with `-`.',
      example: 'mcpgen openapi ftp://example.com/openapi.yaml',
    },
  }),
  'lone-surrogate': defineDiagnostic<{ text: string }>({
    code: 'MCPG123',
    severity: 'warning',
    message: ({ text }) =>
      `The text ${text} contains half of a surrogate pair, which cannot be sent. U+FFFD replaces it.`,
    hint: 'Write the character itself, or both halves, such as `\\ud83d\\ude00`.',
    docs: {
      cause:
        'Two escapes encode a character beyond U+FFFF. One alone has no UTF-8 form, and many clients refuse messages that contain it. mcpgen reports up to 20 places per document.',
      fix: 'Correct the escape. Usually, a text was cut in the middle of a character.',
      example: '{ "enum": ["\\ud800"] }',
    },
  }),
  'url-unreachable': defineDiagnostic<{ url: string; reason: string }>({
    code: 'MCPG111',
    severity: 'error',
    message: ({ url, reason }) => `${url} could not be reached: ${reason}.`,
    hint: 'Check the address and your connection, or download the document and compile the file.',
    docs: {
      cause: 'The server did not answer: its name is unknown, or the connection was refused or lost.',
      fix: 'Open the URL in a browser. If it needs a proxy or a login, download the document first.',
    },
  }),
  'url-status': defineDiagnostic<{ url: string; status: number }>({
    code: 'MCPG112',
    severity: 'error',
    message: ({ url, status }) => `${url} returned HTTP status ${status} instead of a document.`,
    hint: ({ status }) =>
      status === 401 || status === 403
        ? 'The document needs a login: download it and compile the file.'
        : 'Check the address.',
    docs: {
      cause: 'The server answered, but without the document.',
      fix: 'Correct the address. If it needs a login, download the document first.',
    },
  }),
  'too-many-redirects': defineDiagnostic<{ url: string; limit: number }>({
    code: 'MCPG113',
    severity: 'error',
    message: ({ url, limit }) =>
      `${url} redirects more than ${limit} times, so mcpgen never reaches the document.`,
    hint: 'Use the final address of the document.',
    docs: {
      cause: 'The server keeps redirecting, often in a circle because a login or cookie is missing.',
      fix: 'Use the address that a browser ends at, or download the document.',
    },
  }),
  'url-timeout': defineDiagnostic<{ url: string; seconds: number }>({
    code: 'MCPG114',
    severity: 'error',
    message: ({ url, seconds }) => `${url} did not send the document within ${seconds} seconds.`,
    hint: 'Try again, or download the document and compile the file.',
    docs: {
      cause: 'The server accepted the connection but was too slow.',
      fix: 'Try again later, or download the document.',
    },
  }),
  'remote-ref-refused': defineDiagnostic<{ ref: string; host: string; target: ReferenceTarget }>({
    code: 'MCPG115',
    severity: 'warning',
    message: ({ ref, host, target }) =>
      `The reference ${ref} leads to the host ${host}, which is not allowed. ${describeReferenceEffect(target)}`,
    hint: ({ host }) => `Allow it with \`--allow-remote-refs ${host}\`, or store a copy beside the document.`,
    docs: {
      cause:
        'A `$ref` can name any address. Remote references are off by default, so that a foreign document cannot probe your network.',
      fix: 'Allow trusted hosts with `--allow-remote-refs <host>`, or download the files. For a host in your own network, allow its address as well as its name.',
      example: '$ref: https://example.com/schemas.yaml#/Pet',
    },
  }),
  'ref-outside-root': defineDiagnostic<{ ref: string; root: string; target: ReferenceTarget }>({
    code: 'MCPG116',
    severity: 'warning',
    message: ({ ref, root, target }) =>
      `The reference ${ref} leads to a file outside ${root}, so mcpgen does not read it. ${describeReferenceEffect(target)}`,
    hint: 'Move the file inside, or name a wider folder with `--ref-root`.',
    docs: {
      cause:
        'A `$ref` can name any file. mcpgen reads only files below the root: the nearest parent folder with `.git` or `package.json`, or else the folder of the document. It resolves symbolic links before the check.',
      fix: 'Move the file below the root, or set the root with `--ref-root dir`.',
      example: '$ref: ../../../etc/passwd',
    },
  }),
  'ref-unreadable': defineDiagnostic<{ ref: string; reason: string; target: ReferenceTarget }>({
    code: 'MCPG117',
    severity: 'warning',
    message: ({ ref, reason, target }) =>
      `The reference ${ref} leads to a document that cannot be read: ${reason}. ${describeReferenceEffect(target)}`,
    hint: 'Correct the reference or the document.',
    docs: {
      cause: 'The file or address does not exist, is not JSON or YAML, or exceeds a limit.',
      fix: 'Correct the reference, which is relative to its own file.',
      example: '$ref: ./missing.yaml',
    },
  }),
  'dangling-ref': defineDiagnostic<{ ref: string; suggestion: string; target: ReferenceTarget }>({
    code: 'MCPG118',
    severity: 'warning',
    message: ({ ref, target }) => `The reference ${ref} leads to nothing. ${describeReferenceEffect(target)}`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Correct the reference, or add what it names.'
        : `Did you mean ${quoteAsCodeSpan(suggestion)}?`,
    docs: {
      cause: 'The document exists, but has nothing at the place in the reference.',
      fix: 'Check the spelling. In a JSON Pointer, write `/` inside a name as `~1`, and `~` as `~0`.',
      example: "$ref: '#/components/schemas/Missing'",
    },
  }),
  'circular-ref': defineDiagnostic<{ what: string; ref: string; target: ReferenceTarget }>({
    code: 'MCPG119',
    severity: 'warning',
    message: ({ what, ref, target }) =>
      `${what} is undefined: its reference ${ref} leads into a circle of references. ${describeReferenceEffect(target)}`,
    hint: 'Replace one reference in the circle with a real object.',
    docs: {
      cause:
        'References that only lead to each other describe nothing. Recursion through properties or items is allowed.',
      fix: 'Replace one reference in the circle with the intended object.',
      example: 'A: { $ref: "#/components/schemas/B" }\nB: { $ref: "#/components/schemas/A" }',
    },
  }),
  'invalid-ref': defineDiagnostic<{ ref: string; reason: string; target: ReferenceTarget }>({
    code: 'MCPG120',
    severity: 'warning',
    message: ({ ref, reason, target }) =>
      `The reference ${ref} cannot be used: ${reason}. ${describeReferenceEffect(target)}`,
    hint: 'A reference is a URI, such as `#/components/schemas/Pet` or `./pet.yaml`.',
    docs: {
      cause: '`$ref` is not a string, is not a URI, or uses a scheme other than file, http and https.',
      fix: 'Write a relative or absolute URI, with a JSON Pointer after `#`.',
      example: '$ref: 12',
    },
  }),
  'source-too-deep': defineDiagnostic<{ source: string; limit: number }>({
    code: 'MCPG121',
    severity: 'error',
    message: ({ source, limit }) =>
      `${source} nests deeper than ${limit} levels, the limit for one document.`,
    hint: 'Move inner schemas to `components/schemas` and reference them.',
    docs: {
      cause:
        'Only generated or hostile documents nest this deep, and they can exhaust a reader. The limit is 200 levels in YAML and 1,000 in JSON.',
      fix: 'Use references instead of nesting.',
    },
  }),
  'too-many-references': defineDiagnostic<{ limit: number }>({
    code: 'MCPG122',
    severity: 'warning',
    message: ({ limit }) =>
      `The document has more than ${limit} different references. mcpgen ignores the rest: schemas accept anything there, and other parts are omitted.`,
    hint: 'Split the API into several documents and compile each.',
    docs: {
      cause: 'The limit prevents a hostile document from exhausting memory.',
      fix: 'Split the document, or raise the limit in the API call.',
    },
  }),
  'invalid-overlay': defineDiagnostic<{ overlay: string; problem: string }>({
    code: 'MCPG125',
    severity: 'error',
    message: ({ overlay, problem }) => `The overlay ${overlay} cannot be used: ${problem}.`,
    hint: 'An overlay needs `overlay: 1.1.0`, `info` with `title` and `version`, and `actions`, each with a `target`.',
    docs: {
      cause:
        'The file is not an OpenAPI Overlay 1.0 or 1.1: a member is missing, unknown or has the wrong type.',
      fix: 'Correct the place in the message. Your own members start with `x-`.',
      example:
        'overlay: 1.1.0\ninfo: { title: Names for tools, version: 1.0.0 }\nactions:\n  - target: $.paths["/pets"].get\n    update: { x-mcp: { name: list_pets } }',
    },
  }),
  'idle-overlay-action': defineDiagnostic<{ target: string; reason: string }>({
    code: 'MCPG126',
    severity: 'warning',
    message: ({ target, reason }) => `The action on ${quoteAsCodeSpan(target)} changes nothing: ${reason}.`,
    hint: 'Correct or remove the action. The document may have changed since it was written.',
    docs: {
      cause: 'The target of the action was renamed or removed, perhaps by an earlier action.',
      fix: 'Find the place in the document and correct `target`, a JSONPath query (RFC 9535). A path template is one key: `$.paths["/pets/{id}"].get`.',
    },
  }),
  'overlay-misfit': defineDiagnostic<{ target: string; problem: string }>({
    code: 'MCPG127',
    severity: 'error',
    message: ({ target, problem }) => `The action on ${quoteAsCodeSpan(target)} failed: ${problem}.`,
    hint: 'Objects merge into objects, lists and items append to lists, and scalars replace scalars. To change the type of a value, remove it in an earlier action.',
    docs: {
      cause:
        'The query is not JSONPath, or the update does not match the type of its target. The Overlay Specification makes this an error, so mcpgen compiles nothing.',
      fix: 'Correct the action. To replace a value of any type, remove it first and then update its parent object.',
    },
  }),
  'overlay-of-another': defineDiagnostic<{ extended: string; source: string }>({
    code: 'MCPG128',
    severity: 'info',
    message: ({ extended, source }) =>
      `The overlay was written for ${extended}, but it is applied to ${source}.`,
    hint: 'Ignore this if both are the same API. Otherwise, use the overlay for this document.',
    docs: {
      cause: '`extends` in the overlay names a different document.',
      fix: 'Correct or remove `extends`. mcpgen never loads that document.',
    },
  }),
  'overlay-not-written': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG129',
    severity: 'error',
    message: ({ file, problem }) => `The overlay ${file} was not written: ${problem}.`,
    hint: 'Name another file with `-o`, or overwrite it with `--force`, which keeps a copy as .orig. To carry its changes over, pass it with `--overlay`.',
    docs: {
      cause: '`mcpgen overlay init` overwrites no file by default, since it may contain edits.',
      fix: 'Name another file with `-o`, print it with `-o -`, or overwrite with `--force`.',
      example: 'mcpgen overlay init petstore.yaml -o there-is-one-already.yaml',
    },
  }),
  'overlay-too-costly': defineDiagnostic<{ target: string; problem: string }>({
    code: 'MCPG130',
    severity: 'error',
    message: ({ target, problem }) =>
      `The action on ${quoteAsCodeSpan(target)} needs too much work: ${problem}.`,
    hint: 'Give the path to the values instead of searching with `..`, filter once, and compare with `==` instead of a pattern.',
    docs: {
      cause:
        'A JSONPath query can search the whole document once per value, and a pattern can be tried in countless ways. Overlays often come from others, so mcpgen limits the values that all queries visit, the values that a filter holds, and patterns that need backtracking.',
      fix: 'Avoid filters inside filters. For very large documents, apply the overlays in several runs.',
      example: 'target: $..[?@..[?@..a]]',
    },
  }),
  ...skillDiagnostics,
};
