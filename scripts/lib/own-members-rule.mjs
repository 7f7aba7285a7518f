/**
 * An ESLint rule: a text that indexes a plain object may be `toString` or `constructor`, which every object inherits.
 * Accepts members of type `unknown`, whose kind the next line checks, keys that the same function checks with
 * `Object.hasOwn` or takes from the object itself, assignments, and environments.
 */
import ts from 'typescript';

export const ownMembersRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      inherited:
        '{{object}}[{{key}}] finds inherited members: {{key}} may be "toString". Use a Map, Object.hasOwn or getOwnMember.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    return {
      MemberExpression(node) {
        if (!node.computed || isAssigned(node)) return;
        if (!unionMembers(services.getTypeAtLocation(node.property)).some(isAnyText)) return;
        const owners = unionMembers(services.getTypeAtLocation(node.object));
        if (!owners.some((type) => checker.getIndexInfosOfType(type).some(isMapByText))) return;
        const object = sourceCode.getText(node.object);
        const key = sourceCode.getText(node.property);
        if (/(?:^|\.)env$/i.test(object)) return;
        const functions = sourceCode.getAncestors(node).filter(({ type }) => BODIES.test(type));
        if (functions.some((body) => hasGuard(sourceCode.getText(body), object, key))) return;
        context.report({ node, messageId: 'inherited', data: { object, key } });
      },
    };
  },
};

const BODIES = /Function|^MethodDefinition$/;

function hasGuard(body, object, key) {
  const isChecked = [`Object.hasOwn(${object}, ${key})`, `${key} in Object.prototype`].some((guard) =>
    body.includes(guard),
  );
  return isChecked || ['keys', 'entries'].some((list) => isWalked(body, `Object.${list}(${object})`));
}

/** Whether the function walks the list, as `for (… of Object.keys(object))` or `Object.keys(object).map(`. */
function isWalked(body, list) {
  const [, ...rest] = body.split(list);
  return rest.some((after) => /^(?:\)|\s*\.(?:map|filter|every|some|find|flatMap)\()/.test(after));
}

function isAssigned({ parent, range }) {
  return parent.type === 'AssignmentExpression' && parent.operator === '=' && parent.left.range === range;
}

function unionMembers(type) {
  return type.isUnion() ? type.types : [type];
}

function isAnyText({ flags }) {
  return (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0;
}

function isMapByText({ keyType, type }) {
  return isAnyText(keyType) && (type.flags & ts.TypeFlags.Unknown) === 0;
}
