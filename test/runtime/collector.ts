/** A collector of OpenTelemetry that keeps the spans it gets, and listens for secrets in them. */
import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { canaries } from '../support/canaries.ts';
import { httpServer } from '../support/loopback.ts';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number | boolean>;
  status: { code?: number };
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string; boolValue?: boolean };
}

interface Exported {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<Span, 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

export interface Collector {
  url: string;
  spans: Span[];
  bodies: string[];
  heads: IncomingHttpHeaders[];
  paths: string[];
  resource: () => Record<string, unknown>;
}

/** @param answer the status of the answer to each export; undefined: none comes */
export async function startCollector(
  answer: (count: number) => number | undefined = () => 200,
): Promise<Collector> {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const heads: IncomingHttpHeaders[] = [];
  const paths: string[] = [];
  let resource: Record<string, unknown> = {};
  const { url, close } = await httpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      heads.push(request.headers);
      paths.push(request.url ?? '');
      canaries.hear('spans', body);
      const status = answer(bodies.length);
      if (status === 200) {
        for (const { resource: own, scopeSpans } of (JSON.parse(body) as Exported).resourceSpans) {
          resource = toRecord(own.attributes);
          for (const each of scopeSpans.flatMap((scope) => scope.spans))
            spans.push({ ...each, attributes: toRecord(each.attributes) });
        }
      }
      if (status !== undefined) response.writeHead(status).end('{}');
    });
  });
  onTestFinished(close);
  return {
    url,
    spans,
    bodies,
    heads,
    paths,
    resource: () => resource,
  };
}

function toRecord(attributes: Attribute[]): Span['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue),
    ]),
  );
}
