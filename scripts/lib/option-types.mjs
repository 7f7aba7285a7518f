/** The types of all options, as src/config/options/option-types.ts has them, from the table. */
const NAMES = {
  input: 'InputOptions',
  document: 'DocumentOptions',
  server: 'ServerOptions',
  project: 'ProjectFileOptions',
  run: 'RunSwitches',
  consent: 'ConsentOptions',
  report: 'ReportOptions',
};

const ABOUT = {
  input: 'The sources of a server: one of these.',
  document: 'Options of one document.',
  server: 'Options of the server that is compiled.',
  project: 'Options of the files of a project.',
  run: 'Options of one run that writes, or compares, a project.',
  consent: 'Options that a repository can not give itself.',
  report: 'Options of what is printed.',
};

const HEAD = `// Made from table.ts by \`npm run schema\`.
import type { AuthChoice } from './auth.ts';
import type { OutputSchemaMode, RouteRule } from './sources.ts';
import type { Omittable, PublishTarget } from '../../model/published.ts';
import type { Hooks, TemplateHelpers } from '../../model/user-code.ts';
import type { ConfigFormat, TypeScriptSource } from './project-config.ts';
import type { ConfigSource } from './sources.ts';
`;

/** @param {[string, object][]} rows @param {(row: object) => string} sentence */
export function optionTypes(rows, sentence) {
  const groups = Object.entries(NAMES).map(([group, name]) =>
    printed(
      name,
      ABOUT[group],
      rows.filter(([, { of }]) => of === group),
      sentence,
    ),
  );
  const flags = rows.filter(([, { flag }]) => flag !== undefined);
  const all = flags.map(([key, { type, flagType = type }]) => `  ${key}?: ${flagType};\n`);
  return [
    HEAD,
    ...groups,
    `/** The flags of all commands. */\nexport interface Flags {\n${all.join('')}}\n`,
  ].join('\n');
}

function printed(name, about, rows, sentence) {
  const members = rows.map(([key, row]) => `  /** ${sentence(row)} */\n  ${key}?: ${row.type};\n`);
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`;
}
