import { setTimeout as sleep } from 'node:timers/promises'
import { type Platform, platformOf } from './platform.ts'
import type { Service, StartedService } from './service.ts'

/** Time for all services of a node together to close their runtimes. */
export const closeMs = 1_000

/**
 * Starts services one after the other. Their runtimes are closed with `opened`, in reverse order: errors do not keep
 * the others open, and stuck ones are not awaited.
 */
export async function startServices(
  services: Iterable<Service>,
  platform: Platform,
  opened: AsyncDisposableStack,
): Promise<(services: readonly Service[]) => StartedService[]> {
  const runtimes = new Map<string, unknown>()
  let deadline: Promise<unknown> | undefined
  const close = async (service: string, closing: () => unknown) => {
    deadline ??= sleep(closeMs, undefined, { ref: false })
    const isLate = deadline.then(() => Promise.reject(new Error(`It took more than ${closeMs} ms.`)))
    await Promise.race([Promise.try(closing), isLate]).catch((error) =>
      platform.log.error({ err: error, service }, 'a service could not close its runtime'),
    )
  }
  for (const { name, start } of services) {
    if (runtimes.has(name)) continue
    try {
      runtimes.set(
        name,
        await start?.(platformOf(platform, name), (closing) => opened.defer(() => close(name, closing))),
      )
    } catch (cause) {
      throw new Error(`${name} could not start: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  }
  return (requested) => requested.map((service) => ({ ...service, runtime: runtimes.get(service.name) }))
}
