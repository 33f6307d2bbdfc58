import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { diskProblem, type Folders, prepareInstance, removeAll } from './folders.ts'
import { type Kind, NotYet, prepare, setUp } from './kinds.ts'
import { Obstacle } from './obstacle.ts'
import { askToStop, lastError, runningIn, start, stop } from './process.ts'
import { type Programs, socketFolder } from './programs.ts'
import type { InstanceRow, Report, Role } from './store.ts'
import { killAll } from './tree.ts'

export interface InstanceHost {
  readonly programs: Programs
  readonly folders: Folders
  readonly address: string
  /** The bind address of instances on this node. */
  readonly listen: string
  /** Its desired kind, from the current rows. */
  kindOf(row: InstanceRow): Promise<Kind>
  report(id: string, report: Report): Promise<void>
  /** Removes it from its group. */
  leaveGroup(row: InstanceRow): Promise<void>
  /** Called after all of it was deleted. */
  onRemoved(row: InstanceRow): Promise<void>
  readonly memoryBytes: number
  readonly onError: (error: unknown) => void
}

const tickMs = 500
const maxBackoffMs = 15_000
/** How long it may be unresponsive before it is reported as failed. */
const maxSilenceMs = 60_000

/** Reconciles one instance with its row, while this node owns it. */
export class Instance {
  row: InstanceRow
  readonly #host: InstanceHost
  readonly #closing = new AbortController()
  readonly #loop: Promise<void>
  readonly #sockets: string
  #wake = () => {}
  #failures = 0
  #isSetUp = false
  #unresponsiveSince: number | undefined
  #lastReport = ''

  constructor(row: InstanceRow, host: InstanceHost) {
    this.row = row
    this.#host = host
    this.#sockets = socketFolder(host.programs)
    this.#loop = this.#run()
  }

  update(row: InstanceRow): void {
    const hasChanged = row.isWanted !== this.row.isWanted || row.restart !== this.row.restart
    this.row = row
    if (hasChanged) this.#wake()
  }

  /** Stops managing it: shuts it down gracefully, or leaves it running for another node. */
  async close(leave: boolean): Promise<void> {
    this.#closing.abort()
    this.#wake()
    // Immediately: a node has little time to stop, and a machine continues to stop without it.
    if (!leave) await askToStop(this.#host.folders)
    await this.#loop
    if (!leave) await stop(this.#host.folders).catch(this.#host.onError)
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      let pauseMs = tickMs
      try {
        if (!this.row.isWanted) return await this.#remove()
        await this.#reconcile()
        this.#failures = 0
      } catch (error) {
        if (signal.aborted) return
        const { message } = error as Error
        const isWaiting = error instanceof NotYet
        const obstacle = error instanceof Obstacle ? error.kind : null
        await this.#report({ phase: isWaiting ? 'Starting' : 'Failed', message, obstacle })
        if (!isWaiting) pauseMs = Math.min(tickMs * 2 ** this.#failures++, maxBackoffMs)
      }
      await Promise.race([
        sleep(pauseMs, undefined, { ref: false }),
        new Promise<void>((resolve) => (this.#wake = resolve)),
      ])
    }
  }

  async #reconcile(): Promise<void> {
    const { folders } = this.#host
    const { restart, restarted } = this.row
    if (restart > restarted) {
      await this.#report({ phase: 'Starting', message: 'It is being restarted.' })
      await stop(folders)
      this.#isSetUp = false
      await this.#report({ phase: 'Starting', message: null, restarted: restart })
      this.row = { ...this.row, restarted: restart }
    }
    if ((await runningIn(folders)) === undefined) await this.#start()
    await this.#checkHealth()
  }

  async #start(): Promise<void> {
    const { folders, programs, address, listen, memoryBytes } = this.#host
    const { row } = this
    this.#isSetUp = false
    this.#unresponsiveSince = undefined
    if (this.#lastReport === '') await this.#report({ phase: 'Starting', message: null })
    await prepareInstance(folders, programs)
    await killAll(folders.all)
    const obstacle = (await diskProblem(folders.all)) ?? (await portProblem(row.port, listen))
    if (obstacle) throw obstacle
    const kind = await this.#host.kindOf(row)
    const site = { folders, programs, port: row.port, address, listen, signal: this.#closing.signal }
    const command = await prepare(kind, site)
    await start(folders, programs, command, { memoryBytes })
    for (let waited = 0; waited < 20_000; waited += 50) {
      if (await this.#isResponsive()) return
      if ((await runningIn(folders)) === undefined) throw await this.#exitReason()
      if (this.#closing.signal.aborted) return
      await sleep(50)
    }
  }

  async #exitReason(): Promise<Error> {
    const { folders } = this.#host
    const diskFull = await diskProblem(folders.all)
    return diskFull ?? new Error(`It does not start: ${(await lastError(folders)) ?? 'there is no error in its log'}.`)
  }

  #isResponsive(): Promise<boolean> {
    return asSuperuser(this.#sockets, this.row.port, async () => true).catch(() => false)
  }

  /** Reports whether it responds, and its role; sets up a new primary. */
  async #checkHealth(): Promise<void> {
    const { folders } = this.#host
    try {
      const role = await asSuperuser(this.#sockets, this.row.port, async (client) => {
        const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
        const role: Role = rows[0]?.isStandby ? 'Secondary' : 'Primary'
        if (role === 'Primary' && !this.#isSetUp) {
          const kind = await this.#host.kindOf(this.row)
          if (kind.kind === 'monitor')
            await asSuperuser(this.#sockets, this.row.port, (monitor) => setUp(kind, monitor), 'pg_auto_failover')
          else await setUp(kind, client)
          this.#isSetUp = true
        }
        return role
      })
      this.#unresponsiveSince = undefined
      await this.#report({ phase: 'Running', role, message: (await diskProblem(folders.all))?.message ?? null })
    } catch (error) {
      this.#unresponsiveSince ??= performance.now()
      if ((await runningIn(folders)) === undefined) throw await this.#exitReason()
      if (performance.now() - this.#unresponsiveSince > maxSilenceMs)
        throw new Error(`It runs, but does not respond: ${(error as Error).message}`)
      if (this.#unresponsiveSince !== undefined) await this.#report({ phase: 'Starting', message: null })
    }
  }

  async #remove(): Promise<void> {
    const { folders } = this.#host
    await stop(folders, 5_000)
    await this.#host.leaveGroup(this.row)
    await removeAll(folders)
    await this.#host.onRemoved(this.row)
  }

  /** Skips a repeated report. */
  async #report(report: Report): Promise<void> {
    const text = JSON.stringify(report)
    if (text === this.#lastReport) return
    await this.#host.report(this.row.id, report)
    this.#lastReport = text
  }
}

/** Returns an obstacle if the port cannot be bound. */
function portProblem(port: number, address: string): Promise<Obstacle | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === 'EADDRINUSE'
          ? new Obstacle(
              'PortTaken',
              `Port ${port} of the node is in use by another program: end that program, or ask the operator to set ICOSA_MACHINES_PORTS to free ports.`,
            )
          : new Obstacle('PortUnusable', `Port ${port} of the node cannot be used: ${code}.`),
      ),
    )
    server.listen(port, address, () => server.close(() => resolve(undefined)))
  })
}

/** Runs work as the superuser of an instance, through a socket that only the machines' account can access. */
async function asSuperuser<T>(
  sockets: string,
  port: number,
  work: (client: pg.Client) => Promise<T>,
  database = 'postgres',
): Promise<T> {
  const client = new pg.Client({
    host: sockets,
    port,
    user: 'postgres',
    database,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  })
  client.on('error', () => {}) // the next statement fails
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
