/** All limits enforced before the handler, on every route, in one place. */
export const limits = {
  /** Target and headers together; texts and ARNs travel in the URL. */
  headerBytes: 64 * 1024,
  /** Path parameter. */
  parameterLength: 2048,
  /** Query parameters or form fields: some libraries take quadratic time. */
  fields: 500,
  /** Name of a part in a multipart form. */
  fieldNameLength: 200,
  /** Default for bodies; operations may raise it. */
  bodyBytes: 1024 * 1024,
  /** Maximum for bodies read into memory. Larger ones are streams. */
  wholeBodyBytes: 32 * 1024 * 1024,
  /** Buffers of one stream, in either direction. */
  streamBytes: 256 * 1024,
  /** Concurrent handlers that read streams, for all callers; they hold no database connection. */
  streams: 400,
  /** How long a download may make no progress. */
  stalledMs: 60_000,
  jsonDepth: 100,
  /** For the headers of a request, and for the first byte of a connection. */
  headersMs: 15_000,
  /** Grace period of a body; from then on it must have had this average rate. */
  slowBodyMs: 10_000,
  bodyBytesPerSecond: 4 * 1024,
  /** Delay before closing the connection after a refusal, so that the caller can read the response. */
  lingerMs: 1_000,
  /** How long a connection may go on sending the body of an answered request. */
  unreadBodyMs: 2_000,
  /** Idle connections. */
  keepAliveMs: 72_000,
  connections: 20_000,
  /** Concurrent handlers, for all callers: a few times what the database connections can serve. */
  running: 160,
  /** Length of the queue for a handler slot, and its timeout. */
  maxWaiting: 10_000,
  waitMs: 1_000,
  /** Bodies in memory, for all callers. */
  bodiesBytes: 256 * 1024 * 1024,
} as const
