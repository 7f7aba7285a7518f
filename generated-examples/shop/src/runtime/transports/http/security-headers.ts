/** Of every answer: it is data, for the one who asked, and no page. */
import type { OutgoingHttpHeaders } from 'node:http';

export const SECURITY_HEADERS: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};
