import { PassThrough, pipeline, type Readable } from 'node:stream'
import { Failure, type JobContext } from '@icosa/kernel'
import { readPrivately } from '../backups/content.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { enableLogin } from '../wal-archive/host-store.ts'
import { openSession } from '../wal-archive/session.ts'
import { recoverTo } from './recover.ts'

/** Streams a dump of one database as of a time. The copy of the SQL host ends with the stream. */
export async function readDatabaseAt(
  physical: string,
  at: Date,
  context: JobContext<ServiceRuntime>,
  { programs }: Pick<SqlSettings, 'programs'>,
): Promise<Readable> {
  const server = await recoverTo(at, context, context.runtime.folders)
  try {
    await using session = await openSession({ ...server, user: server.superuser, database: 'template1' })
    if (!(await enableLogin(session, physical)))
      throw new Failure('invalid', `There was no such database at ${at.toISOString()}.`)
    return withServer(await readPrivately(server, physical, programs, context.signal), server)
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/** Disposes of the private server when the dump has been read or destroyed. */
function withServer(dump: Readable, server: AsyncDisposable): Readable {
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= Promise.resolve(server[Symbol.asyncDispose]())
    return ending
  }
  const content = new PassThrough({
    flush: (next) => void end().then(() => next(), next),
    destroy: (error, next) => void end().then(() => next(error), next),
  })
  pipeline(dump, content, () => {}) // an error in one destroys both
  return content
}
