import type { ParameterLocation, ParameterStyle } from '../../../model/bindings.ts';
import { joinsLabelsByComma } from '../document/openapi-version.ts';
import { type ReadContext, readFlag } from '../read-context.ts';
import { type RecordNode, memberNode, nodeOrigin } from '../reference/source-node.ts';
import { printValueOrQuotes } from '../document/record.ts';
import { omitUndefined } from '../../../util/collections.ts';

/** Parameter Object, "Style Values": the first is the default. */
const styles: Record<ParameterLocation, readonly ParameterStyle[]> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  querystring: [],
};

export interface StyleReading {
  style?: ParameterStyle;
  explode?: boolean;
}

/** Reads the style, without the members that are the location's defaults. */
export function readStyle(
  context: ReadContext,
  node: RecordNode,
  name: string,
  location: ParameterLocation,
): StyleReading {
  const placeStyles = styles[location];
  const styleName = node.value.style;
  const style = placeStyles.find((candidate) => candidate === styleName);
  if (styleName !== undefined && style === undefined) {
    const at = nodeOrigin(memberNode(node, 'style'));
    context.report(
      'invalid-style',
      { name, setting: `style: ${printValueOrQuotes(styleName)}`, place: location },
      { at },
    );
  }
  const effective = style ?? placeStyles[0];
  const explode = readFlag(context, node, 'explode');
  if (style === 'label' && explode !== true) {
    // The document's release decides how a label is joined, since `explode` does not.
    const byComma = joinsLabelsByComma(node.document.value) ?? joinsLabelsByComma(context.entry.value);
    return { style, ...(byComma === true && { explode: false }) };
  }
  const isDefault =
    explode === (effective === 'form' || effective === 'cookie' || effective === 'deepObject') ||
    effective === 'deepObject';
  return omitUndefined({
    style: effective === placeStyles[0] ? undefined : effective,
    explode: isDefault ? undefined : explode,
  });
}

export function isParameterStyle(location: ParameterLocation, value: unknown): value is ParameterStyle {
  return styles[location].some((style) => style === value);
}
