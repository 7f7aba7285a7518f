/** Parts of a type as it is written. */
import { ts } from 'ts-morph';

/** The step to the keys of a map or an index signature. */
export const KEY = '[key]';
/** The step to the value that a generator returns. */
export const RETURNED = '[return]';
/** The step to all members. */
export const MEMBERS = '.*';

/** Lists members, and the parameters of a constructor that are members. */
export function listMembers(node: ts.Node): readonly ts.Node[] {
  if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node)) return node.members;
  if (!ts.isClassLike(node)) return [];
  const made = node.members.find(ts.isConstructorDeclaration);
  const given = made?.parameters.filter((each) => ts.isParameterPropertyDeclaration(each, made)) ?? [];
  return [...node.members, ...given];
}

export function isMemberAtStep(member: ts.Node, step: string): boolean {
  if (ts.isIndexSignatureDeclaration(member)) return step === '[]' || step === KEY || step === MEMBERS;
  const { name } = member as { name?: ts.Node };
  if (
    name === undefined ||
    !(ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name))
  )
    return false;
  return step === MEMBERS || step === `.${name.text}`;
}

/** Returns the type of a member; for a method the method. */
export function findMemberTypeNode(member: ts.Node): ts.Node | undefined {
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) return member;
  if (ts.isSetAccessorDeclaration(member)) return member.parameters[0]?.type;
  return (member as { type?: ts.TypeNode }).type;
}

export function findKeyTypeNode(member: ts.Node): ts.TypeNode | undefined {
  return ts.isIndexSignatureDeclaration(member) ? member.parameters[0]?.type : undefined;
}

export function listBases(node: ts.Node): readonly ts.Node[] {
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassLike(node)) return [];
  return (node.heritageClauses ?? []).flatMap(({ types }) => types);
}

type Element = ts.TypeNode | ts.NamedTupleMember | ts.ParameterDeclaration;

interface ElementType {
  type: ts.TypeNode | undefined;
  /** Set if the type is that of a rest: the step to its element, which is meant. */
  rest?: string;
}

/** Finds the elements of a tuple, or parameters of a function, that may stand at a place. */
export function findElements(elements: readonly Element[], step: string): ElementType[] {
  const index = /^\[(\d*)\]$/.exec(step)?.[1];
  if (index === undefined) return [];
  const first = elements.findIndex(isRestElement);
  if (index !== '' && (first === -1 || Number(index) < first))
    return elements.slice(Number(index), Number(index) + 1).map(elementType);
  const inRest = index === '' ? '[]' : `[${Number(index) - first}]`;
  const others = index === '' ? elements : elements.slice(first);
  return others.map((each) =>
    isRestElement(each) ? { ...elementType(each), rest: inRest } : elementType(each),
  );
}

export function isRestElement(element: Element): boolean {
  if (ts.isRestTypeNode(element)) return true;
  const isNamed = ts.isNamedTupleMember(element) || ts.isParameter(element);
  return isNamed && element.dotDotDotToken !== undefined;
}

function elementType(element: Element): ElementType {
  const isNamed = ts.isNamedTupleMember(element) || ts.isRestTypeNode(element) || ts.isParameter(element);
  const type = isNamed ? element.type : element;
  return { type: type !== undefined && ts.isOptionalTypeNode(type) ? type.type : type };
}
