/** An endpoint of an issuer that is sent forms, to exchange tokens (RFC 8693) or ask about them (RFC 7662): it answers as each row wants it to. */
import { createServer } from 'node:http';

/** @typedef {{ status?: number, headers?: object, body: string }} FormAnswer */

export class FormEndpoint {
  /** Makes the next answer from the posted form. @type {(form: URLSearchParams) => FormAnswer | Promise<FormAnswer>} */
  answer = () => ({ body: '{}' });

  /** @param {string} path where it is */
  static async open(path) {
    const endpoint = new FormEndpoint();
    endpoint.server.listen(0, '127.0.0.1');
    await new Promise((resolve) => endpoint.server.once('listening', resolve));
    endpoint.url = `http://127.0.0.1:${endpoint.server.address().port}${path}`;
    return endpoint;
  }

  constructor() {
    this.server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      const form = new URLSearchParams(text);
      const { status = 200, headers = {}, body } = await this.answer(form);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  }

  close() {
    return new Promise((resolve) => {
      this.server.close(resolve).closeAllConnections();
    });
  }
}
