// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes values as XML (OpenAPI 3.2, XML Object). Members without a description become elements of their name. */
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { bodyValue, type BodyWriter, print, typeOfBody } from '../request.ts';
import { ToolError } from '../types.ts';
import { writeTextOrFile } from './bytes.ts';

interface XmlNode {
  /** Default: `none` for a list, whose items follow each other, else `element`. */
  nodeType?: 'element' | 'attribute' | 'text' | 'cdata' | 'none';
  /** Default: the name of the member; for items, the name of their list. */
  name?: string;
  prefix?: string;
  namespace?: string;
  properties?: Record<string, XmlNode>;
  others?: XmlNode;
  items?: XmlNode;
  prefixItems?: XmlNode[];
  /** The node that the value becomes inside this one, if that is a node of its own. */
  content?: XmlNode;
  /** The member of `schemas` that supplies what is absent here. */
  ref?: string;
}
interface XmlBody {
  root: XmlNode;
  schemas?: Record<string, XmlNode>;
}
/** The element, or document, that is being written. */
interface Place {
  /** ` name="value"` */
  attributes: string;
  content: string;
  /** In scope, by prefix; `''` is the default namespace. */
  namespaces: Map<string, string>;
}

export function xml(): Feature {
  return { name: 'xml', parts: { bodies: { xml: writeXml } } };
}

const writeXml: BodyWriter = (body, args, setup) => {
  const { argument = Object.keys(args).join(', '), mediaType } = body;
  const description = body['xml'] as XmlBody | undefined;
  const value = bodyValue(body, args);
  if (description === undefined) {
    const isEmpty = Object.keys(value ?? {}).length === 0;
    if (isEmpty || typeof value === 'string')
      return (
        writeTextOrFile(body, args, setup) ?? {
          contentType: typeOfBody(body),
          content: print(isEmpty ? '' : value),
        }
      );
    throw new ToolError(`This operation takes XML. Give the whole document as one string (${argument}).`);
  }
  const document: Place = { attributes: '', content: '', namespaces: new Map() };
  new XmlWriter(description, argument).write(description.root, 'root', value, document);
  return { contentType: /\*|^$/.test(mediaType) ? 'application/xml' : mediaType, content: document.content };
};

class XmlWriter {
  readonly #schemas: Record<string, XmlNode>;
  readonly #argument: string;

  constructor({ schemas = {} }: XmlBody, argument: string) {
    this.#schemas = schemas;
    this.#argument = argument;
  }

  write(description: XmlNode, memberName: string, value: unknown, place: Place): void {
    const node = this.#resolve(description);
    const usualType = node.items !== undefined || Array.isArray(value) ? 'none' : 'element';
    const { nodeType = usualType } = node;
    if (nodeType === 'element') this.#writeElement(node, memberName, value, place);
    else if (nodeType === 'attribute') this.#writeAttribute(node, memberName, value, place);
    else if (nodeType === 'text') place.content += escapeText(this.#print(value));
    else if (nodeType === 'cdata')
      place.content += `<![CDATA[${this.#print(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
    else this.#writeContent(node, memberName, value, place);
  }

  /** Members beside a reference win over those of its target. */
  #resolve({ ref, ...node }: XmlNode): XmlNode {
    const target = ref === undefined ? undefined : ownMember(this.#schemas, ref);
    return target === undefined ? node : { ...this.#resolve(target), ...node };
  }

  #writeElement(node: XmlNode, memberName: string, value: unknown, place: Place): void {
    const element: Place = { attributes: '', content: '', namespaces: new Map(place.namespaces) };
    const name = this.#qualify(node, memberName, element);
    if (value === null) {
      // OpenAPI 3.2, "Handling `null` Values".
      this.#declare('xsi', 'http://www.w3.org/2001/XMLSchema-instance', element);
      element.attributes += ' xsi:nil="true"';
    } else this.#writeContent(node, node.name ?? memberName, value, element);
    const start = name + element.attributes;
    place.content += element.content === '' ? `<${start}/>` : `<${start}>${element.content}</${name}>`;
  }

  #writeAttribute({ namespace, ...node }: XmlNode, memberName: string, value: unknown, place: Place): void {
    if (value === null) return;
    // Attributes have no default namespace (Namespaces in XML, section 6.2).
    const isQualified = namespace !== undefined && node.prefix !== undefined;
    const name = this.#qualify(isQualified ? { ...node, namespace } : node, memberName, place);
    place.attributes += ` ${name}="${escapeAttribute(this.#print(value))}"`;
  }

  /** Declares the namespace where it is not in scope. */
  #qualify({ name, prefix, namespace }: XmlNode, memberName: string, place: Place): string {
    const local = this.#checkName(name ?? memberName);
    if (namespace !== undefined) this.#declare(prefix ?? '', namespace, place);
    return prefix === undefined ? local : `${this.#checkName(prefix)}:${local}`;
  }

  #declare(prefix: string, namespace: string, place: Place): void {
    // `xml` needs no declaration (Namespaces in XML, section 3).
    if (prefix === 'xml' || place.namespaces.get(prefix) === namespace) return;
    place.namespaces.set(prefix, namespace);
    const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    place.attributes += ` ${name}="${escapeAttribute(this.#print(namespace))}"`;
  }

  #writeContent(node: XmlNode, name: string, value: unknown, place: Place): void {
    if (node.content !== undefined) this.write(node.content, name, value, place);
    else if (Array.isArray(value))
      // "If a name is not explicitly defined, the same name will be used both internally and externally."
      value.forEach((item, index) =>
        this.write(node.prefixItems?.[index] ?? node.items ?? { nodeType: 'element' }, name, item, place),
      );
    else if (typeof value === 'object' && value !== null) this.#writeMembers(node, value, place);
    else if (node.items !== undefined) this.write(node.items, name, value, place);
    else place.content += escapeText(this.#print(value));
  }

  /** In the document's order, which an XML Schema sequence demands; undeclared ones last. */
  #writeMembers({ properties = {}, others = {} }: XmlNode, value: object, place: Place): void {
    const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
    const names = new Set([
      ...Object.keys(properties).filter((name) => members.has(name)),
      ...members.keys(),
    ]);
    for (const name of names)
      this.write(ownMember(properties, name) ?? others, name, members.get(name), place);
  }

  /** Lists are separated by spaces, as in XML Schema. */
  #print(value: unknown): string {
    if (Array.isArray(value)) return value.map((item) => this.#print(item)).join(' ');
    if (typeof value === 'object' && value !== null)
      throw this.#refuse('an object stands where the document wants text or an attribute.');
    const text = print(value);
    const character = ILLEGAL.exec(text)?.[0];
    if (character === undefined) return text;
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
    throw this.#refuse(`it holds the character U+${code}, which XML does not allow. Leave it out.`);
  }

  /** Arguments may choose names where the document leaves them open. */
  #checkName(text: string): string {
    if (NAME.test(text)) return text;
    throw this.#refuse(`${JSON.stringify(text)} is no name of an element or attribute.`);
  }

  #refuse(reason: string): ToolError {
    return new ToolError(`Argument "${this.#argument}" can't be written as XML: ${reason}`);
  }
}

/** Complement of "Char" (XML 1.0, section 2.2): controls, lone surrogates and two noncharacters. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** "NameStartChar" and "NameChar" (section 2.3), without the colon. */
const NAME_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}-\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}';
const NAME = new RegExp(
  `^[${NAME_START}][${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}-\\u{2040}]*$`,
  'u',
);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeCharacter = (character: string): string =>
  ownMember(ENTITIES, character) ?? `&#${character.charCodeAt(0)};`;

/** A carriage return would be read as a line feed (section 2.11). */
function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, escapeCharacter);
}

/** A reader turns unescaped white space into spaces (section 3.3.3). */
function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, escapeCharacter);
}
