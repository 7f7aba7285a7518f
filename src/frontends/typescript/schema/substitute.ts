import { ts } from 'ts-morph';

/** How the checker tells what becomes of a type parameter: by a function, which is the fourth kind that it knows. */
interface Mapper {
  kind: 3;
  func: (parameter: ts.Type) => ts.Type;
}

/** A signature that is an instance of another, as the checker has it. */
interface Instance {
  target: { resolvedReturnType: ts.Type };
  mapper: object;
}

/** An instance of an object type remembers what it was made with. */
interface MadeType extends ts.Type {
  mapper?: object;
}

/**
 * A type with others in place of its type parameters, at any depth. The checker's interface has no substitution of its
 * own; what it computes for every call of a generic function is one: the return type of an instance of a signature. So
 * it is asked for that of a signature which returns the type.
 */
export function substitute(
  type: ts.Type,
  replace: (parameter: ts.Type) => ts.Type,
  checker: ts.TypeChecker,
): ts.Type {
  const func = (parameter: ts.Type): ts.Type => (isDeclaredOpen(parameter) ? replace(parameter) : parameter);
  const mapper: Mapper = { kind: 3, func };
  return instantiate(type, mapper, checker);
}

/** Resolves a type parameter in an instance of an object type. */
export function madeWith(parameter: ts.Type, { mapper }: MadeType, checker: ts.TypeChecker): ts.Type {
  return mapper === undefined ? parameter : instantiate(parameter, mapper, checker);
}

function instantiate(type: ts.Type, mapper: object, checker: ts.TypeChecker): ts.Type {
  const instance: Instance = { target: { resolvedReturnType: type }, mapper };
  return checker.getReturnTypeOfSignature(instance as unknown as ts.Signature);
}

/** A parameter of a function, a class or an alias; `P in K` and `infer P` stand for what their own type makes of them. */
function isDeclaredOpen({ flags, symbol }: ts.Type): boolean {
  if ((flags & ts.TypeFlags.TypeParameter) === 0) return false;
  const [declaration] = symbol.declarations ?? [];
  return (
    declaration === undefined ||
    !(ts.isMappedTypeNode(declaration.parent) || ts.isInferTypeNode(declaration.parent))
  );
}
