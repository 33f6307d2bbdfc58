/** The sample is not what it claims to be, or not what this engine reads: the sender's mistake. */
export class Malformed extends Error {}

/** A limit of ours kept the sample from being looked at. Never to be taken for a clean one. */
export class OverLimit extends Error {}
