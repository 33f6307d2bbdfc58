/** Every limit that a request meets before its handler does, whatever its route: one list, so that none is forgotten. */
export const limits = {
  /** Target and headers together; texts and ARNs travel in the URL. */
  headerBytes: 64 * 1024,
  /** Of one parameter in a path. */
  parameterLength: 2048,
  /** Parameters of a query, and fields of a form: libraries compare each with all others. */
  fields: 500,
  /** Of the name of a part in a form with files. */
  fieldNameLength: 200,
  /** Of a body, unless its operation says more. */
  bodyBytes: 1024 * 1024,
  /** The most that an operation may read as a whole. More than that is a stream. */
  wholeBodyBytes: 32 * 1024 * 1024,
  /** What a stream, in or out, has in memory at most: what lies in its buffers on the way. */
  streamBytes: 256 * 1024,
  /** Requests whose handlers read streams at once, for all callers together; no database waits for them. */
  streams: 400,
  /** How long a caller may take nothing of a file that it asked for. */
  stalledMs: 60_000,
  /** How deep arrays and objects may stand in each other. */
  jsonDepth: 100,
  /** How long a connection may take for the headers of a request; the same holds for its first byte. */
  headersMs: 15_000,
  /** A body may be slow for so long; from then on it must have come at this rate on average. */
  slowBodyMs: 10_000,
  bodyBytesPerSecond: 4 * 1024,
  /** How long we still listen to a caller whom we have refused, so that it can read our answer before we hang up. */
  lingerMs: 1_000,
  /** How long a connection may still send a body that nobody wants to read: it was answered already. */
  unreadBodyMs: 2_000,
  /** Connections that lie idle, waiting for their next request. */
  keepAliveMs: 72_000,
  connections: 20_000,
  /** Handlers at work at once, for all callers together: a few times what the database's connections can serve. */
  running: 160,
  /** Requests that wait for their turn, and for how long. */
  maxWaiting: 10_000,
  waitMs: 1_000,
  /** Bodies in memory at once, for all callers together. */
  bodiesBytes: 256 * 1024 * 1024,
} as const
