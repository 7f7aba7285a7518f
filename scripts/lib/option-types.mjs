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

const HEAD = `// Made from table.ts and tool-rules.ts by \`npm run schema\`.
import type { ToolHints } from './tool-rules.ts';
import type { ArgumentRule, OutputRule } from '../../model/source-model.ts';
import type { AuthChoice } from './auth.ts';
import type { OutputSchemaMode, RouteRule } from './sources.ts';
import type { PublishTarget } from '../../model/published.ts';
import type { ClientName } from '../../model/client-profiles.ts';
import type { Hooks } from '../../model/user-code.ts';
import type { WorkflowsByName } from '../../model/workflows.ts';
import type { InstallClientName, InstallScope } from './install-options.ts';
import type { Budget } from './values.ts';
import type { ConfigFormat, TypeScriptSource } from './project-config.ts';
import type { ConfigSource } from './sources.ts';
`;

export function optionTypes(rows, toolMembers, sentence) {
  const groups = Object.entries(NAMES).map(([group, name]) =>
    printed(
      name,
      ABOUT[group],
      rows.filter(([, { of }]) => of === group),
      sentence,
    ),
  );
  const about = 'Rules for the tools that a key of `tools` matches.';
  const rules = printed('ToolRules', about, Object.entries(toolMembers), sentence);
  return [HEAD, ...groups, rules, flagTypes(rows)].join('\n');
}

/** Flags have the types of their options, unless the table says otherwise. */
function flagTypes(rows) {
  const isOwn = ({ of, flag, flagType }) => flag !== undefined && (flagType !== undefined || !(of in NAMES));
  const groups = Object.entries(NAMES).flatMap(([group, name]) => {
    const all = rows.filter(([, { of }]) => of === group);
    if (all.every(([, { flag }]) => flag === undefined)) return [];
    const others = all.filter(([, row]) => row.flag === undefined || isOwn(row)).map(([key]) => `'${key}'`);
    return others.length === 0 ? [name] : [`Omit<${name}, ${others.join(' | ')}>`];
  });
  const own = rows.filter(([, row]) => isOwn(row));
  const members = own.map(([key, { type, flagType = type }]) => `  ${key}?: ${flagType};\n`);
  const head = `export interface Flags\n  extends\n    ${groups.join(',\n    ')} {`;
  return `/** The flags of all commands. */\n${head}\n${members.join('')}}\n`;
}

function printed(name, about, rows, sentence) {
  const members = rows.map(([key, row]) => `  /** ${sentence(row)} */\n  ${key}?: ${row.type};\n`);
  return `/** ${about} */\nexport interface ${name} {\n${members.join('')}}\n`;
}
