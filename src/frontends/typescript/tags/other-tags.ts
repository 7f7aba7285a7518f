/** Tags of JSDoc, TSDoc, TypeDoc and TypeScript, which are read by others. Where they stand they mean nothing here. */

/** Their text documents something else than what the block stands before; tags inside of it belong to that. */
const CARRIERS = 'param arg argument property prop returns return template typedef throws'.split(' ');

const OTHERS = new Set([
  ...CARRIERS,
  ...(
    'abstract access alias alpha async augments author beta borrows callback category class classdesc const constant ' +
    'constructor constructs copyright decorator defaultValue desc description enum eventProperty examples exception ' +
    'experimental export exports extends external file fileoverview final fires func function generator global group ' +
    'hideconstructor ignore implements import inheritDoc inheritdoc inner interface internal kind label lends ' +
    'license link linkcode linkplain listens member memberof method mixes mixin module name namespace overload ' +
    'override package packageDocumentation private privateRemarks protected public readonly remarks requires ' +
    'satisfies scheme sealed see showCategories since static summary this todo tutorial type typeParam var variation ' +
    'version virtual yield yields x'
  ).split(' '),
]);

const carriers: ReadonlySet<string> = new Set(CARRIERS);

export function isCarrier(name: string): boolean {
  return carriers.has(name);
}

export function isOthers(name: string): boolean {
  return OTHERS.has(name);
}
