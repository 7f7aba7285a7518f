/** Reads the value back from the XML that a scenario expects, by what the binding says of it. */
import { plainSchema, readValue } from './values.mjs';

/**
 * `text`: of a scenario: elements, attributes and text, no comments or CDATA; `xml`: of the body's binding; `schema`:
 * of the value; `root`: the tool's input schema.
 */
export function readXml(text, xml, schema, root) {
  const resolved = ({ ref, ...own }) =>
    ref === undefined ? own : { ...resolved(xml.schemas?.[ref] ?? {}), ...own };
  const named = (element, name) => element.children.filter((child) => child.name === name);

  function valueOf(node, element, given) {
    const own = plainSchema(given, root);
    if (node.properties === undefined && node.others === undefined)
      return readValue(own, element.text, ' ', root);
    const entries = Object.entries(node.properties ?? {}).map(([name, property]) => [
      name,
      memberOf(resolved(property), name, element, own.properties?.[name]),
    ]);
    const others = node.others === undefined ? [] : element.children.map((child) => [child.name, child.text]);
    return Object.fromEntries([...others, ...entries].filter(([, value]) => value !== undefined));
  }

  function memberOf(node, property, element, given) {
    const name = node.name ?? property;
    if (node.nodeType === 'attribute')
      return readValue(plainSchema(given, root), element.attributes[name], ' ', root);
    if (node.items !== undefined) return itemsOf(node, name, property, element, plainSchema(given, root));
    const [child] = named(element, name);
    return child === undefined ? undefined : valueOf(node, child, given);
  }

  function itemsOf(node, name, property, element, given) {
    const item = resolved(node.items);
    const isWrapped = node.nodeType === 'element';
    const around = isWrapped ? named(element, name)[0] : element;
    const found = around === undefined ? [] : named(around, item.name ?? (isWrapped ? name : property));
    return found.map((each) => valueOf(item, each, given.items));
  }

  return valueOf(resolved(xml.root), parse(text), schema);
}

/** Names come without their prefixes. */
function parse(text) {
  const top = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (const [, slash, name, attributes, empty, words] of text.matchAll(
    /<(\/?)([\w:.-]+)([^<>]*?)(\/?)>|([^<>]+)/g,
  )) {
    const around = open.at(-1);
    if (words !== undefined) around.text += words.trim();
    else if (slash === '/') open.pop();
    else {
      const element = { name: localName(name), attributes: attributesOf(attributes), children: [], text: '' };
      around.children.push(element);
      if (empty === '') open.push(element);
    }
  }
  return top.children[0];
}

function attributesOf(text) {
  return Object.fromEntries(
    [...text.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, name, value]) => [localName(name), value]),
  );
}

function localName(name) {
  return name.replace(/^.*:/, '');
}
