/** The API that is called: adds, takes bytes and gives bytes. Its URL is told on stderr. */
import { createServer } from 'node:http';

const chunk = Buffer.alloc(64 * 1024, 'x');

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/sum') {
    const sum = Number(searchParams.get('a')) + Number(searchParams.get('b'));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sum }));
  } else if (request.method === 'PUT') {
    let bytes = 0;
    request.on('data', (each) => (bytes += each.length));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ bytes }));
    });
  } else {
    give(response, Number(searchParams.get('bytes')));
  }
});

function give(response, bytes) {
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': bytes });
  let left = bytes;
  const write = () => {
    while (left > 0) {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      if (!response.write(piece)) return void response.once('drain', write);
    }
    response.end();
  };
  write();
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`http://127.0.0.1:${server.address().port} \n`);
});
