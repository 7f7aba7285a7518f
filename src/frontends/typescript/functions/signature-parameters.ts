/** A rest parameter with a tuple type is expanded, since wrapped functions are typed so. */
import { ts } from 'ts-morph';

import { findItemNode } from '../schema/array-form.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { mayBeUndefined } from '../schema/object-form.ts';
import { closeIfParameter } from '../schema/open-type.ts';

export interface SignatureParameter {
  /** The parameter's name; for an element of a tuple its label. */
  name: string;
  type: ts.Type;
  declaration: Declared | undefined;
  isOptional: boolean;
  /** The parameter takes all remaining arguments. `type` is that of the list, or of its items. */
  rest?: 'list' | 'items';
}

export function signatureParameters(
  { parameters }: Pick<ts.Signature, 'parameters'>,
  checker: ts.TypeChecker,
): SignatureParameter[] {
  return parameters.flatMap((symbol) => {
    const { name, valueDeclaration: node } = symbol;
    const declaration = node && (ts.isParameter(node) || ts.isJSDocParameterTag(node)) ? node : undefined;
    const type = checker.getTypeOfSymbol(symbol);
    if (declaration === undefined || !isRestParameter(declaration)) {
      const isAbsent = declaration !== undefined && mayBeAbsent(declaration, checker);
      return [{ name, type, declaration, isOptional: mayBeUndefined(type) || isAbsent }];
    }
    // Each alternative of `[string] | [string, number]` has an item.
    const isOptional = unionMembers(closeIfParameter(type, checker)).some(
      (list) =>
        !checker.isTupleType(list) ||
        (list as ts.TupleTypeReference).target.elementFlags.every(
          (flags) => !(flags & ts.ElementFlags.Required),
        ),
    );
    const parameter: SignatureParameter = { name, type, declaration, isOptional, rest: 'list' };
    return expandTupleRest(parameter, checker) ?? [parameter];
  });
}

function expandTupleRest(
  parameter: SignatureParameter,
  checker: ts.TypeChecker,
): SignatureParameter[] | undefined {
  const type = closeIfParameter(parameter.type, checker);
  if (!checker.isTupleType(type)) return undefined;
  const tuple = type as ts.TupleTypeReference;
  const { elementFlags, labeledElementDeclarations: labels } = tuple.target;
  const rest = elementFlags.findIndex((flags) => (flags & ts.ElementFlags.Variable) !== 0);
  if (rest !== -1 && rest < elementFlags.length - 1) return undefined;
  const types = checker.getTypeArguments(tuple);
  return elementFlags.map((flags, index): SignatureParameter => {
    const declaration = labels?.[index];
    const element = types[index] ?? checker.getUndefinedType();
    return {
      name:
        declaration && !isPattern(declaration) ? declaration.name.getText() : `${parameter.name}_${index}`,
      type: element,
      declaration,
      isOptional: (flags & ts.ElementFlags.Required) === 0 || mayBeUndefined(element),
      ...(index === rest ? { rest: (flags & ts.ElementFlags.Variadic) === 0 ? 'items' : 'list' } : {}),
    };
  });
}

/** A function, the label of a tuple, or `@callback` and `@overload` of JSDoc declare a parameter. */
export type Declared = ts.ParameterDeclaration | ts.NamedTupleMember | ts.JSDocParameterTag;

export function isPattern(declaration: Declared): boolean {
  return ts.isObjectBindingPattern(declaration.name) || ts.isArrayBindingPattern(declaration.name);
}

export function findInitializer(declaration: Declared | undefined): ts.Expression | undefined {
  return declaration !== undefined && ts.isParameter(declaration) ? declaration.initializer : undefined;
}

function isRestParameter(declaration: Declared): boolean {
  if (!ts.isJSDocParameterTag(declaration)) return declaration.dotDotDotToken !== undefined;
  const type = declaration.typeExpression?.type;
  return type !== undefined && ts.isJSDocVariadicType(type);
}

/** TypeScript treats a default before a required parameter as required; JSON can omit it. */
function mayBeAbsent(declaration: Declared, checker: ts.TypeChecker): boolean {
  if (isRestParameter(declaration) || findInitializer(declaration) !== undefined) return true;
  if (ts.isParameter(declaration)) return checker.isOptionalParameter(declaration);
  if (ts.isNamedTupleMember(declaration)) return declaration.questionToken !== undefined;
  const type = declaration.typeExpression?.type;
  return declaration.isBracketed || (type !== undefined && ts.isJSDocOptionalType(type));
}

/** @param items the node is that of the items of the declared list */
export function findTypeNode(
  declaration: Declared,
  items: boolean,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const node = ts.isJSDocParameterTag(declaration)
    ? declaration.typeExpression?.type
    : (declaration.type ?? ts.getJSDocType(declaration));
  return items ? findItemNode(node, checker) : node;
}
