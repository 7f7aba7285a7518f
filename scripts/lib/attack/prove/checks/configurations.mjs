/** Consent that a repository's configuration needs. */
import { refusal, replacement } from '../checks.mjs';

const configurations = ['configurations'];
/** The rows start the command line, which is built as these. @param {string[]} names @param {import('../checks.mjs').Check} check */
const inModules = (names, check) => ({ ...check, files: names.map((name) => `dist/bin/chunks/${name}.js`) });

export const checks = [
  inModules(
    ['compiler'],
    replacement(
      'Prettier takes no configuration from disk',
      [
        'const parser = chooseParser(path, languages);',
        'const parser = (await prettier.getFileInfo(path)).inferredParser;',
      ],
      configurations,
      /beside \.prettierrc\.cjs/,
    ),
  ),
  inModules(
    ['compiler'],
    refusal(
      'a configuration in code is refused',
      'run.noCode === true && /\\.m?[jt]s$/.test(name)',
      configurations,
      /check of a configuration in code/,
    ),
  ),
  inModules(['compiler'], {
    check: 'modules of hooks and helpers are refused',
    edits: [
      ['run.noCode === true ? findCodeNeeds(value, folder, run) : []', '[]'],
      ['if (noCode && typeof code === "string")', 'if (false)'],
    ],
    families: configurations,
    rows: /generate of (?:JSON with hooks|YAML with helpers|a server with hooks)/,
    each: true,
  }),
  inModules(
    ['command'],
    refusal('functions are not served', 'options.noCode === true', configurations, /serve of functions/),
  ),
  inModules(
    ['serve-project'],
    refusal(
      'the program of a project is not run',
      'isCodeRefused(flags, host.env)',
      configurations,
      /program of its own/,
    ),
  ),
  inModules(
    ['command'],
    replacement(
      '--no-code is heard',
      ['return noCode || /^(?:1|true)$/i.test(', 'return /^(?:1|true)$/i.test('],
      configurations,
      /inspect --no-code of/,
    ),
  ),
  inModules(
    ['compiler'],
    replacement(
      'variables in URLs of requests',
      ['!REQUESTED.test(member) || !isUrl(filled) || refusedNames.length === 0', 'true'],
      configurations,
      /a variable in the (?:query|path|user) of a source$/,
    ),
  ),
  inModules(
    ['compiler'],
    replacement(
      'the folder of a project',
      ['.filter((folder) => isInside(folder, target))', '.concat(target)'],
      configurations,
      /output by (?:a path upward|an absolute path|one of several)/,
    ),
  ),
  inModules(
    ['compiler'],
    replacement(
      'links to the folder of a project',
      ['const target = resolveExistingLinks(resolve(cwd, dir));', 'const target = resolve(cwd, dir);'],
      configurations,
      /output by (?:a link|a folder below a link)$/,
    ),
  ),
  inModules(['compiler'], {
    ...refusal(
      'a folder that is called as the server',
      '!await isConfined(dir, options, diagnostics)',
      configurations,
      /a link that is called as the server/,
    ),
    // A run that is not refused writes 400 files, which may take longer than a row waits.
    admits: /no answer/,
  }),
];
