/** A token endpoint that answers exchanges (RFC 8693) as each row wants it to, and keeps what it was sent. */
import { createServer } from 'node:http';

export class TokenEndpoint {
  /** The forms that came. */
  forms = [];
  /** Of the next answer, by the token that came. @type {(token: string) => { status?: number, headers?: object, body: string }} */
  answer = () => ({ body: '{}' });

  static async open() {
    const endpoint = new TokenEndpoint();
    endpoint.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => endpoint.server.once('listening', resolve));
    endpoint.url = `http://127.0.0.1:${endpoint.server.address().port}/token`;
    return endpoint;
  }

  constructor() {
    this.server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const form = new URLSearchParams(text);
      this.forms.push(form);
      const { status = 200, headers = {}, body } = this.answer(form.get('subject_token') ?? '');
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  }

  close() {
    return new Promise((resolve) => {
      this.server.close(resolve).closeAllConnections();
    });
  }
}
