// The fields of each template as lists, read from the types of the views and their comments.
import { Project, TypeFormatFlags } from 'ts-morph';

/** `root`: the repository's folder, which ends with `/`. */
export function viewLists({ root }) {
  const project = new Project({
    tsConfigFilePath: `${root}tsconfig.json`,
    skipAddingFilesFromTsConfig: true,
  });
  const file = project.addSourceFileAtPath(`${root}src/emit/views/template-views.ts`);
  const templates = file.getInterfaceOrThrow('TemplateViews').getProperties();
  const constant = templates.filter((each) => fieldsOf(each.getType(), each).length === 0);
  const others = templates.filter((each) => !constant.includes(each));
  const names = constant.map((each) => `\`${nameOf(each)}.hbs\``).join(', ');
  const described = new Set();
  return [
    ...others.map((template) => listOf(template, described)),
    `No fields, because the output is the same in every project: ${names}.`,
  ].join('\n\n');
}

/** Types that a field's name, or the fields below it, say already. */
const PLAIN = ['string', 'boolean', 'number', 'list', 'object'];

/** A field that an earlier template has too is only named. */
function listOf(template, described) {
  const rows = fieldsOf(template.getType(), template).map(({ path, type, words }) => {
    const name = PLAIN.includes(type) ? `\`${path}\`` : `\`${path}\` (\`${type}\`)`;
    return { path, row: `- ${name}: ${words}` };
  });
  const added = rows.filter(({ row }) => !described.has(row));
  const known = rows.filter(({ row }) => described.has(row)).map(({ path }) => `\`${path}\``);
  for (const { row } of added) described.add(row);
  return [
    `### \`${nameOf(template)}.hbs\``,
    added.map(({ row }) => row).join('\n'),
    known.length === 0 ? '' : `As above: ${known.join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
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
