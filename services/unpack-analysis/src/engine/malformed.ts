/** The sample is malformed or of an unsupported kind. */
export class Malformed extends Error {}

/** The sample exceeds a limit, and must not be reported as clean. */
export class OverLimit extends Error {}
