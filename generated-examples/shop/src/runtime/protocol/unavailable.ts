/** For `verifyToken` to throw: whether the token is good nobody can say now. Its request is answered by 503, with `Retry-After`. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
