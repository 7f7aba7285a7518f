/** Ends the reading of an expression whose meaning is not known here. */
export class NotKnown extends Error {}
