import { execFile } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { promisify } from 'node:util'
import { every, type Lacking, type UnmetNeed } from '@icosa/kernel'
import type { Environment } from '@icosa/settings'
import { type Examined, remedyHere } from './examine.ts'

export interface LackingWatch {
  readonly lacking: () => Lacking
  readonly unmetNeeds: () => readonly UnmetNeed[]
  close(): void
}

type Examine = (signal: AbortSignal) => Promise<readonly Examined[]>

/** Leaves the CPU to the start-up itself. */
const firstMs = 5_000
/** Programs that are installed later are found without a restart. */
const againMs = 300_000

/**
 * Checks the services' needs soon after the start, and again while any is unmet. Reports unmet needs once; the node
 * serves everything else.
 */
export function watchLacking(examine: Examine, say: (line: string) => void, delayMs = firstMs): LackingWatch {
  const stopping = new AbortController()
  let lacking: Lacking = {}
  let unmet: readonly UnmetNeed[] = []

  async function look(): Promise<void> {
    const examined = await examine(stopping.signal)
    unmet = examined.filter(({ isThere }) => !isThere).map(toUnmet)
    const needs = Map.groupBy(examined, ({ service }) => service)
    lacking = Object.fromEntries([...needs].map(([service, examined]) => [service, namesOf(examined)]))
  }
  const lacks = () => Object.entries(lacking).filter(([, names]) => names.length > 0)

  async function first(): Promise<void> {
    await look()
    const list = lacks().map(([service, names]) => `${service} (${names.join(', ')})`)
    if (list.length === 0) return
    const count = list.length === 1 ? 'One service has' : `${list.length} services have`
    const hint =
      process.getuid?.() !== 0 && list.join().includes('sandbox')
        ? 'Sandboxes need gVisor, and namespaces or root. '
        : ''
    say(`${count} unmet needs: ${list.join('; ')}. ${hint}\`icosa doctor\` shows how to install them.`)
  }
  const onError = (error: unknown) => {
    if (!stopping.signal.aborted) say(`The needs of services could not be checked: ${(error as Error).message}`)
  }
  const timer = setTimeout(() => void first().catch(onError), delayMs).unref()
  const stop = every(againMs, () => (lacks().length > 0 ? look() : undefined), onError)
  return {
    lacking: () => lacking,
    unmetNeeds: () => unmet,
    close() {
      clearTimeout(timer)
      stop()
      stopping.abort()
    },
  }
}

const toUnmet = ({ service, need, purpose, isOptional, remedy }: Examined): UnmetNeed => ({
  ...{ service, need, purpose, isOptional },
  remedy: remedyHere(remedy),
})

const namesOf = (examined: readonly Examined[]) =>
  examined.filter(({ isThere, isOptional }) => !isThere && !isOptional).map(({ need }) => need)

/** Runs `icosa doctor` in a separate process, since some checks load native libraries. */
export const examineApart =
  (services: readonly string[], env: Environment): Examine =>
  async (signal) => {
    const args = [process.argv[1] ?? '', 'doctor', '--json', '--services', services.join(',')]
    const running = promisify(execFile)(process.execPath, args, { env, signal, maxBuffer: 2 ** 24 })
    if (running.child.pid !== undefined) setPriority(running.child.pid, constants.priority.PRIORITY_LOW)
    // Exits with 1 if something is missing.
    const { stdout } = await running.catch((error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
    const examined: readonly Examined[] = JSON.parse(stdout)
    return examined.filter(({ service }) => services.includes(service))
  }
