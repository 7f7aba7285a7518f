// The fields of each template as tables, read from the types of the views and their comments.
import { Project, TypeFormatFlags } from 'ts-morph';

const BEGIN = '<!-- views: written by `npm run docs` -->';
const END = '<!-- /views -->';

/** `page` with the tables of today between its marks. `root` is the repository's folder, which ends with `/`. */
export function withViewTables(page, { root }) {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest.split(END);
  return `${before}${BEGIN}\n\n${viewTables(root)}\n\n${END}${after}`;
}

function viewTables(root) {
  const project = new Project({
    tsConfigFilePath: `${root}tsconfig.json`,
    skipAddingFilesFromTsConfig: true,
  });
  const file = project.addSourceFileAtPath(`${root}src/emit/views/template-views.ts`);
  const templates = file.getInterfaceOrThrow('TemplateViews').getProperties();
  const constant = templates.filter((each) => fieldsOf(each.getType(), each).length === 0);
  const others = templates.filter((each) => !constant.includes(each));
  const names = constant.map((each) => `\`${nameOf(each)}.hbs\``).join(', ');
  return [
    ...others.map(tableOf),
    `No fields, because the output is the same in every project: ${names}.`,
  ].join('\n\n');
}

function tableOf(template) {
  const rows = fieldsOf(template.getType(), template).map(
    ({ path, type, words }) =>
      `| \`${path}\` | \`${type.replaceAll('|', '\\|')}\` | ${words.replaceAll('|', '\\|')} |`,
  );
  return [
    `#### \`${nameOf(template)}.hbs\``,
    '',
    '| field | type | meaning |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function nameOf(property) {
  return property.getName().replaceAll("'", '');
}

/** Fields of an object, and of the objects in its lists: `tools[].name`. */
function fieldsOf(type, at, prefix = '') {
  return type.getProperties().flatMap((property) => {
    const own = property.getTypeAtLocation(at);
    const path = `${prefix}${property.getName()}`;
    const field = { path, type: typeText(own, at), words: wordsOf(property) };
    const row = own.isArray() ? own.getArrayElementTypeOrThrow() : own;
    return isOfOurs(row) ? [field, ...fieldsOf(row, at, `${path}${own.isArray() ? '[]' : ''}.`)] : [field];
  });
}

/** An object whose fields are named, rather than data by any key. */
function isOfOurs(type) {
  return (
    type.isObject() &&
    !type.isArray() &&
    type.getStringIndexType() === undefined &&
    type.getProperties().length > 0
  );
}

function typeText(type, at) {
  if (type.isArray())
    return isOfOurs(type.getArrayElementTypeOrThrow())
      ? 'list'
      : `${typeText(type.getArrayElementTypeOrThrow(), at)}[]`;
  if (isOfOurs(type)) return 'object';
  return type.getText(at, TypeFormatFlags.NoTruncation | TypeFormatFlags.UseAliasDefinedOutsideCurrentScope);
}

function wordsOf(property) {
  return property
    .getDeclarations()
    .flatMap((declared) => declared.getJsDocs?.() ?? [])
    .map((doc) => doc.getDescription().trim().replace(/\s+/g, ' '))
    .join(' ');
}
