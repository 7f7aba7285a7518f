// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Writes a value as an XML document (OpenAPI "XML Object"). The binding says which nodes it becomes; a member that it does
 * not name becomes an element of that name. UTF-8 needs no declaration in XML 1.0.
 */
import type { XmlBodyBinding, XmlNodeBinding } from '../contract/bindings.ts';
import { isXmlName } from '../contract/http-syntax.ts';
import { UpstreamError } from './deadline.ts';
import { valueText } from './parameter-styles.ts';

/** The inside of one element. */
interface Inside {
  /** Attributes as text: ` name="value"`. */
  attributes: string;
  /** Elements and text as XML. */
  content: string;
  /** Namespaces by prefix (`''`: the default), as declared on this element or around it. */
  namespaces: Map<string, string>;
}

const INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** `value` is the body as JSON has it; `argument` is for messages. */
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

  /** Puts a value into the element around it; `inferred` is its name where the binding has none. */
  node(binding: XmlNodeBinding, inferred: string, value: unknown, around: Inside): void {
    const node = this.#resolved(binding);
    const type = node.nodeType ?? (node.items !== undefined || Array.isArray(value) ? 'none' : 'element');
    switch (type) {
      case 'element':
        this.#element(node, inferred, value, around);
        break;
      case 'attribute':
        this.#attribute(node, inferred, value, around);
        break;
      case 'text':
        around.content += elementText(this.#plain(value), this.#argument);
        break;
      case 'cdata':
        around.content += cdataText(this.#plain(value), this.#argument);
        break;
      case 'none':
        this.#inside(node, inferred, value, around);
    }
  }

  /** Members beside a reference win over those of its target. */
  #resolved(binding: XmlNodeBinding): XmlNodeBinding {
    const { ref, ...own } = binding;
    const target = ref !== undefined && Object.hasOwn(this.#schemas, ref) ? this.#schemas[ref] : undefined;
    return target === undefined ? own : { ...this.#resolved(target), ...own };
  }

  #element(node: XmlNodeBinding, inferred: string, value: unknown, around: Inside): void {
    const own: Inside = { attributes: '', content: '', namespaces: new Map(around.namespaces) };
    const name = this.#name(node, inferred, own);
    if (value === null) {
      // OpenAPI 3.2, "Handling `null` Values".
      this.#declare('xsi', INSTANCE, own);
      own.attributes += ' xsi:nil="true"';
    } else this.#inside(node, node.name ?? inferred, value, own);
    const start = `${name}${own.attributes}`;
    around.content += own.content === '' ? `<${start}/>` : `<${start}>${own.content}</${name}>`;
  }

  #attribute(node: XmlNodeBinding, inferred: string, value: unknown, around: Inside): void {
    if (value === null) return;
    // A default namespace is not that of attributes (Namespaces in XML, section 6.2).
    const { namespace, ...bare } = node;
    const qualified = namespace !== undefined && node.prefix !== undefined ? { ...bare, namespace } : bare;
    const name = this.#name(qualified, inferred, around);
    around.attributes += ` ${name}="${attributeText(this.#plain(value), this.#argument)}"`;
  }

  /** The name as written, its namespace declared on `own` unless it is already. */
  #name({ name, prefix, namespace }: XmlNodeBinding, inferred: string, own: Inside): string {
    const local = checkName(name ?? inferred, this.#argument);
    if (namespace !== undefined) this.#declare(prefix ?? '', namespace, own);
    return prefix === undefined ? local : `${checkName(prefix, this.#argument)}:${local}`;
  }

  #declare(prefix: string, namespace: string, own: Inside): void {
    // "Other prefixes MUST NOT be bound to this namespace name" and "xml" needs no declaration (Namespaces in XML, 3).
    if (prefix === 'xml' || own.namespaces.get(prefix) === namespace) return;
    own.namespaces.set(prefix, namespace);
    const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    own.attributes += ` ${name}="${attributeText(namespace, this.#argument)}"`;
  }

  /** The value without an element of its own. */
  #inside(node: XmlNodeBinding, name: string, value: unknown, around: Inside): void {
    if (node.content !== undefined) this.node(node.content, name, value, around);
    else if (Array.isArray(value)) this.#items(node, name, value, around);
    else if (typeof value === 'object' && value !== null) this.#members(node, value, around);
    else if (node.items !== undefined) this.node(node.items, name, value, around);
    else around.content += elementText(valueText(value), this.#argument);
  }

  /** "If a name is not explicitly defined, the same name will be used both internally and externally." */
  #items(node: XmlNodeBinding, name: string, items: readonly unknown[], around: Inside): void {
    items.forEach((item, index) => {
      this.node(node.prefixItems?.[index] ?? node.items ?? { nodeType: 'element' }, name, item, around);
    });
  }

  /**
   * Writes members in the order of the document, as a sequence of XML Schema demands, then members that the document
   * does not name.
   */
  #members({ properties = {}, others = {} }: XmlNodeBinding, value: object, around: Inside): void {
    const members = new Map(Object.entries(value).filter(([, member]) => member !== undefined));
    for (const [name, property] of Object.entries(properties)) {
      if (!members.has(name)) continue;
      this.node(property, name, members.get(name), around);
      members.delete(name);
    }
    for (const [name, member] of members) this.node(others, name, member, around);
  }

  /** Text of an attribute or a text node: a list is separated by spaces, as in XML Schema. */
  #plain(value: unknown): string {
    if (Array.isArray(value)) return value.map((item) => this.#plain(item)).join(' ');
    if (typeof value !== 'object' || value === null) return valueText(value);
    throw new UpstreamError(
      'argument',
      `Argument "${this.#argument}" can't be written as XML: an object stands where the document wants text or an attribute.`,
    );
  }
}

/** "Char" (XML 1.0, section 2.2) turned round: controls, lone surrogates and two noncharacters have no form in XML. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** The content of an element. A carriage return would be read as a line feed (section 2.11). */
function elementText(text: string, argument: string): string {
  return checkCharacters(text, argument).replace(/[&<>\r]/g, escapeCharacter);
}

/** Between double quotes. White space is escaped, since a reader turns it into spaces (section 3.3.3). */
function attributeText(text: string, argument: string): string {
  return checkCharacters(text, argument).replace(/[&<>"\t\n\r]/g, escapeCharacter);
}

/** A CDATA section can hold anything but its own end (section 2.7). */
function cdataText(text: string, argument: string): string {
  return `<![CDATA[${checkCharacters(text, argument).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Checks the name of an element or attribute, which an argument may choose where the document leaves it open. */
function checkName(text: string, argument: string): string {
  if (isXmlName(text)) return text;
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" can't be written as XML: ${JSON.stringify(text)} is no name of an element or attribute.`,
  );
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeCharacter(character: string): string {
  return ENTITIES[character] ?? `&#${character.codePointAt(0)};`;
}

function checkCharacters(text: string, argument: string): string {
  const found = ILLEGAL.exec(text)?.[0];
  if (found === undefined) return text;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" can't be written as XML: it holds the character U+${code}, which XML does not allow. Leave it out.`,
  );
}
