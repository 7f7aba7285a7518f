/** What an answer that is no HTTP fails with; the codes are those of `node:http`. */
export function invalidHttp(code: `HPE_${string}`): Error {
  return Object.assign(new Error('The answer is not valid HTTP.'), { code });
}

/** What an answer of 101 fails with: nothing of the kind was asked for. */
export function switchedProtocols(): Error {
  return Object.assign(new Error('The server switched protocols.'), { code: 'SWITCHED' });
}
