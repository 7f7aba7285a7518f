// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Writes values as XML (OpenAPI "XML Object"). Members without a binding become elements of their name. */
import { getOwnMember } from '../contract/json-value.ts';
import type { XmlBodyBinding, XmlNodeBinding } from '../contract/bindings.ts';
import { isXmlName } from '../contract/xml-names.ts';
import { argumentError } from './upstream-error.ts';
import { printParameterValue } from './parameter-values.ts';

interface Inside {
  /** ` name="value"` */
  attributes: string;
  content: string;
  /** Namespaces in scope, by prefix; `''` is the default namespace. */
  namespaces: Map<string, string>;
}

const INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

export function xmlBody(binding: XmlBodyBinding, argument: string, value: unknown): string {
  const document: Inside = { attributes: '', content: '', namespaces: new Map() };
  new XmlWriter(binding, argument).node(binding.root, 'root', value, document);
  return document.content;
}

class XmlWriter {
  readonly #schemas: Record<string, XmlNodeBinding>;
  readonly #argument: string;

  constructor({ schemas = {} }: XmlBodyBinding, argument: string) {
    this.#schemas = schemas;
    this.#argument = argument;
  }

  /** `inferred` is the name if the binding has none. */
  node(binding: XmlNodeBinding, inferred: string, value: unknown, around: Inside): void {
    const node = this.#resolveNode(binding);
    const type = node.nodeType ?? (node.items !== undefined || Array.isArray(value) ? 'none' : 'element');
    switch (type) {
      case 'element':
        this.#writeElement(node, inferred, value, around);
        break;
      case 'attribute':
        this.#writeAttribute(node, inferred, value, around);
        break;
      case 'text':
        around.content += escapeElementText(this.#toCheckedText(value));
        break;
      case 'cdata':
        around.content += wrapInCdata(this.#toCheckedText(value));
        break;
      case 'none':
        this.#writeContent(node, inferred, value, around);
    }
  }

  /** Members beside a reference win over those of its target. */
  #resolveNode(binding: XmlNodeBinding): XmlNodeBinding {
    const { ref, ...own } = binding;
    const target = ref !== undefined && Object.hasOwn(this.#schemas, ref) ? this.#schemas[ref] : undefined;
    return target === undefined ? own : { ...this.#resolveNode(target), ...own };
  }

  #writeElement(node: XmlNodeBinding, inferred: string, value: unknown, around: Inside): void {
    const own: Inside = { attributes: '', content: '', namespaces: new Map(around.namespaces) };
    const name = this.#makeQualifiedName(node, inferred, own);
    if (value === null) {
      // OpenAPI 3.2, "Handling `null` Values".
      this.#declareNamespace('xsi', INSTANCE, own);
      own.attributes += ' xsi:nil="true"';
    } else this.#writeContent(node, node.name ?? inferred, value, own);
    const start = `${name}${own.attributes}`;
    around.content += own.content === '' ? `<${start}/>` : `<${start}>${own.content}</${name}>`;
  }

  #writeAttribute(node: XmlNodeBinding, inferred: string, value: unknown, around: Inside): void {
    if (value === null) return;
    // Attributes have no default namespace (Namespaces in XML, section 6.2).
    const { namespace, ...bare } = node;
    const qualified = namespace !== undefined && node.prefix !== undefined ? { ...bare, namespace } : bare;
    const name = this.#makeQualifiedName(qualified, inferred, around);
    around.attributes += ` ${name}="${escapeAttribute(this.#toCheckedText(value))}"`;
  }

  /** Declares its namespace on `own` if necessary. */
  #makeQualifiedName({ name, prefix, namespace }: XmlNodeBinding, inferred: string, own: Inside): string {
    const local = assertXmlName(name ?? inferred, this.#argument);
    if (namespace !== undefined) this.#declareNamespace(prefix ?? '', namespace, own);
    return prefix === undefined ? local : `${assertXmlName(prefix, this.#argument)}:${local}`;
  }

  #declareNamespace(prefix: string, namespace: string, own: Inside): void {
    // `xml` needs no declaration (Namespaces in XML, section 3).
    if (prefix === 'xml' || own.namespaces.get(prefix) === namespace) return;
    own.namespaces.set(prefix, namespace);
    const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    own.attributes += ` ${name}="${escapeAttribute(this.#toCheckedText(namespace))}"`;
  }

  #writeContent(node: XmlNodeBinding, name: string, value: unknown, around: Inside): void {
    if (node.content !== undefined) this.node(node.content, name, value, around);
    else if (Array.isArray(value)) this.#writeItems(node, name, value, around);
    else if (typeof value === 'object' && value !== null) this.#writeMembers(node, value, around);
    else if (node.items !== undefined) this.node(node.items, name, value, around);
    else around.content += escapeElementText(this.#toCheckedText(value));
  }

  /** "If a name is not explicitly defined, the same name will be used both internally and externally." */
  #writeItems(node: XmlNodeBinding, name: string, items: readonly unknown[], around: Inside): void {
    items.forEach((item, index) => {
      this.node(node.prefixItems?.[index] ?? node.items ?? { nodeType: 'element' }, name, item, around);
    });
  }

  /** Writes members in the document's order, which an XML Schema sequence demands; undeclared ones last. */
  #writeMembers({ properties = {}, others = {} }: XmlNodeBinding, value: object, around: Inside): void {
    const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
    for (const [name, property] of Object.entries(properties)) {
      if (!members.has(name)) continue;
      this.node(property, name, members.get(name), around);
      members.delete(name);
    }
    for (const [name, member] of members) this.node(others, name, member, around);
  }

  #toCheckedText(value: unknown): string {
    return assertXmlCharacters(this.#toText(value), this.#argument);
  }

  /** Lists are separated by spaces, as in XML Schema. */
  #toText(value: unknown): string {
    if (Array.isArray(value)) return value.map((item) => this.#toText(item)).join(' ');
    if (typeof value !== 'object' || value === null) return printParameterValue(value);
    throw argumentError(
      `Argument "${this.#argument}" can't be written as XML: an object stands where the document wants text or an attribute.`,
    );
  }
}

/** Complement of "Char" (XML 1.0, section 2.2): controls, lone surrogates and two noncharacters. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** A carriage return would be read as a line feed (section 2.11). */
function escapeElementText(text: string): string {
  return text.replace(/[&<>\r]/g, escapeCharacter);
}

/** A reader turns unescaped white space into spaces (section 3.3.3). */
function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, escapeCharacter);
}

function wrapInCdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Arguments may choose names where the document leaves them open. */
function assertXmlName(text: string, argument: string): string {
  if (isXmlName(text)) return text;
  throw argumentError(
    `Argument "${argument}" can't be written as XML: ${JSON.stringify(text)} is no name of an element or attribute.`,
  );
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeCharacter(character: string): string {
  return getOwnMember(ENTITIES, character) ?? `&#${character.codePointAt(0)};`;
}

function assertXmlCharacters(text: string, argument: string): string {
  const found = ILLEGAL.exec(text)?.[0];
  if (found === undefined) return text;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw argumentError(
    `Argument "${argument}" can't be written as XML: it holds the character U+${code}, which XML does not allow. Leave it out.`,
  );
}
