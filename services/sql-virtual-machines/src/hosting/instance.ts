import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { diskProblem, type Folders, prepareInstance, removeAll } from './folders.ts'
import { furnish, type Kind, NotYet, prepare } from './kinds.ts'
import { Obstacle } from './obstacle.ts'
import { askToStop, lastWords, runningIn, start, stop } from './process.ts'
import { type Programs, socketFolder } from './programs.ts'
import { asSuperuser } from './session.ts'
import type { InstanceRow, Report, Role } from './store.ts'
import { killAll } from './tree.ts'

export interface InstanceHost {
  readonly programs: Programs
  readonly folders: Folders
  readonly address: string
  /** Where instances of this node accept connections. */
  readonly listen: string
  /** What it is to be, as the rows say it now. */
  kindOf(row: InstanceRow): Promise<Kind>
  report(id: string, report: Report): Promise<void>
  /** Tells its group that it goes. */
  leaves(row: InstanceRow): Promise<void>
  /** Once nothing of it is left. */
  removed(row: InstanceRow): Promise<void>
  readonly memoryBytes: number
  readonly onError: (error: unknown) => void
}

const tickMs = 500
const maxPauseMs = 15_000
/** One that does not answer for so long is said to have failed. */
const patienceMs = 60_000

/** Sees to it that one instance is what its row says, for as long as this node holds it. */
export class Instance {
  row: InstanceRow
  readonly #host: InstanceHost
  readonly #closing = new AbortController()
  readonly #done: Promise<void>
  readonly #sockets: string
  #wake = () => {}
  #failures = 0
  #isFurnished = false
  #silentSince: number | undefined
  #last = ''

  constructor(row: InstanceRow, host: InstanceHost) {
    this.row = row
    this.#host = host
    this.#sockets = socketFolder(host.programs)
    this.#done = this.#live()
  }

  update(row: InstanceRow): void {
    const isNews = row.isWanted !== this.row.isWanted || row.restart !== this.row.restart
    this.row = row
    if (isNews) this.#wake()
  }

  /** Lets go of it: ends it in good order, or leaves it running for whoever comes next. */
  async close(leave: boolean): Promise<void> {
    this.#closing.abort()
    this.#wake()
    // At once: a node has little time to stop, and a machine goes on stopping without it.
    if (!leave) await askToStop(this.#host.folders)
    await this.#done
    if (!leave) await stop(this.#host.folders).catch(this.#host.onError)
  }

  async #live(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      let pauseMs = tickMs
      try {
        if (!this.row.isWanted) return await this.#remove()
        await this.#keep()
        this.#failures = 0
      } catch (error) {
        if (signal.aborted) return
        const { message } = error as Error
        const isWaiting = error instanceof NotYet
        const obstacle = error instanceof Obstacle ? error.kind : null
        await this.#say({ phase: isWaiting ? 'Starting' : 'Failed', message, obstacle })
        if (!isWaiting) pauseMs = Math.min(tickMs * 2 ** this.#failures++, maxPauseMs)
      }
      await Promise.race([sleep(pauseMs, undefined, { ref: false }), new Promise<void>((go) => (this.#wake = go))])
    }
  }

  async #keep(): Promise<void> {
    const { folders } = this.#host
    const { restart, restarted } = this.row
    if (restart > restarted) {
      await this.#say({ phase: 'Starting', message: 'It is started again.' })
      await stop(folders)
      this.#isFurnished = false
      await this.#say({ phase: 'Starting', message: null, restarted: restart })
      this.row = { ...this.row, restarted: restart }
    }
    if ((await runningIn(folders)) === undefined) await this.#start()
    await this.#look()
  }

  async #start(): Promise<void> {
    const { folders, programs, address, listen, memoryBytes } = this.#host
    const { row } = this
    this.#isFurnished = false
    this.#silentSince = undefined
    if (this.#last === '') await this.#say({ phase: 'Starting', message: null })
    await prepareInstance(folders, programs)
    await killAll(folders.all)
    const obstacle = (await diskProblem(folders.all)) ?? (await portProblem(row.port, listen))
    if (obstacle) throw obstacle
    const kind = await this.#host.kindOf(row)
    const site = { folders, programs, port: row.port, address, listen, signal: this.#closing.signal }
    const command = await prepare(kind, site)
    await start(folders, programs, command, { memoryBytes })
    for (let waited = 0; waited < 20_000; waited += 50) {
      if (await this.#answers()) return
      if ((await runningIn(folders)) === undefined) throw await this.#whyEnded()
      if (this.#closing.signal.aborted) return
      await sleep(50)
    }
  }

  async #whyEnded(): Promise<Error> {
    const { folders } = this.#host
    const full = await diskProblem(folders.all)
    return full ?? new Error(`It does not start: ${(await lastWords(folders)) ?? 'it says nothing of why'}.`)
  }

  #answers(): Promise<boolean> {
    return asSuperuser(this.#sockets, this.row.port, async () => true).catch(() => false)
  }

  /** Whether it answers, and as what. */
  async #look(): Promise<void> {
    const { folders } = this.#host
    try {
      const role = await asSuperuser(this.#sockets, this.row.port, async (client) => {
        const { rows } = await client.query<{ copies: boolean }>('select pg_is_in_recovery() as copies')
        const role: Role = rows[0]?.copies ? 'Secondary' : 'Primary'
        if (role === 'Primary' && !this.#isFurnished) {
          const kind = await this.#host.kindOf(this.row)
          if (kind.kind === 'monitor')
            await asSuperuser(this.#sockets, this.row.port, (own) => furnish(kind, own), 'pg_auto_failover')
          else await furnish(kind, client)
          this.#isFurnished = true
        }
        return role
      })
      this.#silentSince = undefined
      await this.#say({ phase: 'Running', role, message: (await diskProblem(folders.all))?.message ?? null })
    } catch (error) {
      this.#silentSince ??= performance.now()
      if ((await runningIn(folders)) === undefined) throw await this.#whyEnded()
      if (performance.now() - this.#silentSince > patienceMs)
        throw new Error(`It runs, but does not answer: ${(error as Error).message}`)
      if (this.#silentSince !== undefined) await this.#say({ phase: 'Starting', message: null })
    }
  }

  async #remove(): Promise<void> {
    const { folders } = this.#host
    await stop(folders, 5_000)
    await this.#host.leaves(this.row)
    await removeAll(folders)
    await this.#host.removed(this.row)
  }

  /** Only what is new. */
  async #say(report: Report): Promise<void> {
    const text = JSON.stringify(report)
    if (text === this.#last) return
    await this.#host.report(this.row.id, report)
    this.#last = text
  }
}

/** What keeps a port from being listened on, if anything does. */
function portProblem(port: number, address: string): Promise<Obstacle | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === 'EADDRINUSE'
          ? new Obstacle(
              'PortTaken',
              `Port ${port} of the node is taken by another program: end that program, or have the operator set ICOSA_MACHINES_PORTS to ports that are free.`,
            )
          : new Obstacle('PortUnusable', `Port ${port} of the node cannot be used: ${code}.`),
      ),
    )
    server.listen(port, address, () => server.close(() => resolve(undefined)))
  })
}
