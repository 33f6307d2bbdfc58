import { type Platform, recentlyUsed, writeBehind } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'
import type { Line } from '../instances/index.ts'
import type { Revision } from '../revision.ts'
import { type Budget, budget } from './budget.ts'
import * as store from './store.ts'

type LogOwner = Pick<Revision, 'tenant' | 'function'>

export interface Invocation {
  readonly revision: Revision
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** Write-behind log of functions. A function that prints too much loses lines. */
export interface Logs {
  add(line: Line & { readonly revision: LogOwner }): void
  addInvocation(invocation: Invocation): void
  flush(): Promise<void>
}

const everyMs = 300
/** Lines buffered on a node. */
const maxPending = 20_000
/** Lines kept per function. */
const maxLines = 10_000
const trimEvery = 1_000

interface LoggedFunction extends Place {
  readonly budget: Budget
  written: number
}

export function openLogs({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): Logs {
  const functions = recentlyUsed<LoggedFunction>('functions logged', 10_000)
  let pending: store.NewLine[] = []

  function loggedFunction({ tenant, function: name }: LogOwner): LoggedFunction {
    const key = `${tenant} ${name}`
    let entry = functions.get(key)
    if (!entry) {
      entry = { ...placeOf(name), budget: budget(), written: 0 }
      functions.set(key, entry)
    }
    return entry
  }

  function push(revision: LogOwner, line: Omit<store.LogLine, 'at'>): void {
    const entry = loggedFunction(revision)
    if (pending.length >= maxPending || !entry.budget.take(line.text.length)) return
    const { project, location, function: id } = entry
    const place = { tenant: revision.tenant, project, location, function: id, at: clock.now() }
    const refused = entry.budget.refused()
    const text = `${refused} lines were dropped: print less.`
    if (refused > 0) pending.push({ ...place, invocation: null, stream: 'platform', text })
    pending.push({ ...place, ...line, text: line.text.replaceAll('\0', '\ufffd') })
    entry.written++
    writing.soon()
  }

  async function write(): Promise<void> {
    const lines = pending
    pending = []
    if (lines.length === 0) return
    await store.write(database, lines)
    const places = new Map(
      lines.map((line) => [`${line.tenant} ${line.project} ${line.location} ${line.function}`, line]),
    )
    for (const { tenant, ...place } of places.values()) {
      const entry = functions.get(
        `${tenant} projects/${place.project}/locations/${place.location}/functions/${place.function}`,
      )
      if (!entry || entry.written < trimEvery) continue
      entry.written = 0
      await store.trim(database, tenant, place, maxLines)
    }
  }

  const writing = writeBehind({
    everyMs,
    write,
    onError: (error) => log.warn({ err: error }, 'log lines of functions were lost'),
  })

  return {
    add: ({ revision, stream, text, invocation = null }) => push(revision, { stream, text, invocation }),
    addInvocation({ revision, id, method, path, status, durationMs }) {
      const shortPath = path.length > 200 ? `${path.slice(0, 200)}...` : path
      const text = `${method} ${shortPath.split('?', 1)[0]} ${status} in ${durationMs.toFixed(1)} ms`
      push(revision, { stream: 'platform', text, invocation: id })
    },
    flush: () => writing.flush(),
  }
}

function placeOf(name: string): Place {
  const [, project = '', , location = '', , id = ''] = name.split('/')
  return { project, location, function: id }
}
