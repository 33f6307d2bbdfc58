import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export interface LogOptions {
  readonly level: string
  readonly destination?: DestinationStream
}

/**
 * Lines of JSON on stderr, so that a command's own output on stdout stays clean. They are written a few kilobytes
 * at a time and at least once a second: a write for every request would cost as much as the request.
 */
export function createLog({ level, destination = buffered() }: LogOptions): Logger {
  return pino({ level, base: null }, destination)
}

const buffered = () => pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 1000 })
