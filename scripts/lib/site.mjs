/** The pages of the documentation as HTML, their search index, and the links between them that lead nowhere. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';
import MiniSearch from 'minisearch';

import { root } from './repository.mjs';

const { posix } = path;
const ROOT_PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTEXT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'templates/fields.md',
];
const FIELDS = { fields: ['title', 'text'], storeFields: ['title', 'page'] };

export function buildSite(read = readPage, names = pageNames()) {
  const pages = new Map(names.map((name) => [name, readHeadings(read(name))]));
  const lost = [];
  const files = new Map();
  const pictures = new Set();
  const sections = [];
  const navigation = listNavigation(read('docs/README.md'));
  for (const name of names) {
    const text = read(name);
    const rendered = render(text, name, pages, (link) => lost.push({ page: name, link }));
    for (const [, href] of rendered.matchAll(/<(?:img|source)\b[^>]*\bsrc(?:set)?="([^"]*)"/g)) {
      const picture = posix.join(posix.dirname(name), href);
      if (existsSync(path.join(root, picture))) pictures.add(picture);
      else lost.push({ page: name, link: href });
    }
    files.set(toPath(name), layOut(name, rendered, navigation));
    sections.push(...splitSections(text, toPath(name)));
  }
  const index = new MiniSearch(FIELDS);
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  files.set('search-index.js', `globalThis.searchIndex = ${escapeScript(JSON.stringify(index))};\n`);
  return { files, pictures, lost };
}

function pageNames() {
  const found = readdirSync(path.join(root, 'docs'), { recursive: true })
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'));
  return [...ROOT_PAGES, ...found.sort()];
}

function readPage(name) {
  return readFileSync(path.join(root, name), 'utf8');
}

function toPath(name) {
  return name === 'README.md' ? 'index.html' : name.replace(/\.md$/, '.html');
}

/** As GitHub makes it of a heading. */
function toAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function readHeadings(text) {
  const prose = text.replace(/^(`{3,}).*?^\1$/gms, '');
  return new Set([...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => toAnchor(heading)));
}

function render(text, name, pages, lose) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${toAnchor(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = resolveLink(href, name, pages);
        if (target === undefined) lose(href);
        return target === undefined || target === '' ? words : `<a href="${escape(target)}">${words}</a>`;
      },
    },
  });
  return marked.parse(text);
}

/** `''`: a file of the repository that is no page. `undefined`: nothing is there. */
function resolveLink(href, name, pages) {
  if (/^(?:https?|mailto):/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const target = file === '' ? name : posix.join(posix.dirname(name), file);
  const headings = pages.get(target);
  if (headings === undefined) return existsSync(path.join(root, target)) ? '' : undefined;
  if (anchor !== undefined && !headings.has(anchor)) return undefined;
  const to = posix.relative(posix.dirname(toPath(name)), toPath(target));
  return `${to}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** The lists of the documentation's own table of contents. */
function listNavigation(text) {
  return [...text.matchAll(/^- (?:.*?)\[([^\]]+)\]\(([\w./-]+\.md)\)/gm)].map(([, title, file]) => ({
    title,
    file: posix.join('docs', file),
  }));
}

function layOut(name, body, navigation) {
  const up = '../'.repeat(name.split('/').length - 1);
  const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1]?.replace(/<[^>]+>/g, '') ?? 'mcpgen';
  const links = [{ title: 'mcpgen', file: 'README.md' }, ...navigation].map(({ title: words, file }) => {
    const here = file === name ? ' aria-current="page"' : '';
    return `<li><a href="${up}${toPath(file)}"${here}>${escape(words)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<title>${title === 'mcpgen' ? title : `${title} – mcpgen`}</title>
<link rel="stylesheet" href="${up}site.css">
<script src="${up}minisearch.js" defer></script>
<script src="${up}search-index.js" defer></script>
<script src="${up}search.js" defer data-up="${up}"></script>
</head>
<body>
<nav aria-label="Pages">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-controls="found">
<ol id="found" aria-live="polite"></ol>
<ul>
${links.join('\n')}
</ul>
</nav>
<main>
${body}</main>
</body>
</html>
`;
}

/** One entry for each heading, so that a hit leads into the middle of a page. */
function splitSections(text, page) {
  const parts = text.split(/^(?=#{1,3} )/m).filter((part) => part.startsWith('#'));
  return parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const title = heading.replace(/^#+ /, '');
    return { title: title.replaceAll('`', ''), page: `${page}#${toAnchor(title)}`, text: lines.join('\n') };
  });
}

function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function escapeScript(json) {
  return json.replaceAll('<', String.raw`\u003c`);
}
