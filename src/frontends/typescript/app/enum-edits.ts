/** An enum as the object that TypeScript makes of it, each member on the line where it was. */
import { ts } from 'ts-morph';
import type { TextEdit } from './text-edits.ts';

/**
 * Undefined of what takes more than a look at each member: values that are computed, `const enum`, one that does not stand at
 * the top of the file, and one that others of its name add to.
 */
export function enumEdits(node: ts.EnumDeclaration, file: ts.SourceFile): TextEdit[] | undefined {
  const values = valuesOf(node);
  if (values === undefined || !isAlone(node, file)) return undefined;
  const name = node.name.text;
  const start = node.getStart(file);
  const open = node.members.pos;
  const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  const breaks = file.text.slice(start, open).replace(/[^\r\n]/g, '');
  const commas = node.members.slice(0, node.members.hasTrailingComma ? undefined : -1);
  return [
    { start, end: open, text: `${isExported ? 'export ' : ''}var ${name}; (function (${name}) {${breaks}` },
    ...values.map(({ member, key, value }): TextEdit => ({
      start: member.getStart(file),
      end: member.end,
      text:
        typeof value === 'string'
          ? `${name}[${key}] = ${JSON.stringify(value)}`
          : `${name}[${name}[${key}] = ${value}] = ${key}`,
    })),
    ...commas.map(({ end }): TextEdit => semicolonAt(file, end)),
    { start: node.end - 1, end: node.end, text: `})(${name} || (${name} = {}));` },
  ];
}

interface MemberValue {
  member: ts.EnumMember;
  /** As code. */
  key: string;
  value: string | number;
}

function valuesOf({ members }: ts.EnumDeclaration): MemberValue[] | undefined {
  const values: MemberValue[] = [];
  let next: number | undefined = 0;
  for (const member of members) {
    const { name, initializer } = member;
    const value: string | number | undefined = initializer === undefined ? next : literalOf(initializer);
    if (value === undefined || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return undefined;
    values.push({ member, key: JSON.stringify(name.text), value });
    next = typeof value === 'number' ? value + 1 : undefined;
  }
  return values;
}

function literalOf(node: ts.Expression): string | number | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (!ts.isPrefixUnaryExpression(node) || node.operator !== ts.SyntaxKind.MinusToken) return undefined;
  return ts.isNumericLiteral(node.operand) ? -Number(node.operand.text) : undefined;
}

function isAlone(node: ts.EnumDeclaration, file: ts.SourceFile): boolean {
  if (
    node.parent !== file ||
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ConstKeyword) === true
  )
    return false;
  return !file.statements.some(
    (other) =>
      other !== node &&
      (ts.isEnumDeclaration(other) || ts.isModuleDeclaration(other)) &&
      other.name.text === node.name.text,
  );
}

/** In place of the comma that follows. */
function semicolonAt({ text, languageVariant }: ts.SourceFile, at: number): TextEdit {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, languageVariant, text);
  scanner.resetTokenState(at);
  scanner.scan();
  return { start: scanner.getTokenStart(), end: scanner.getTokenEnd(), text: ';' };
}
