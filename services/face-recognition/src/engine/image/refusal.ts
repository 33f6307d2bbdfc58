/** A photo cannot be analysed; the caller gets the message. */
export class Unreadable extends Error {}
