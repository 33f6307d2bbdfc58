import { setTimeout as sleep } from 'node:timers/promises'
import { type Platform, platformOf } from './platform.ts'
import type { Service, StartedService } from './service.ts'

/** How long all services of a node together have to close what they hold. */
export const closeMs = 1_000

/**
 * Starts services one after the other. What they open is closed with `opened`, in reverse: after an error the others are
 * closed all the same, and what does not end is not waited for.
 */
export async function startServices(
  services: Iterable<Service>,
  platform: Platform,
  opened: AsyncDisposableStack,
): Promise<(services: readonly Service[]) => StartedService[]> {
  const held = new Map<string, unknown>()
  let deadline: Promise<unknown> | undefined
  const close = async (service: string, closing: () => unknown) => {
    deadline ??= sleep(closeMs, undefined, { ref: false })
    const isLate = deadline.then(() => Promise.reject(new Error(`It took more than ${closeMs} ms.`)))
    await Promise.race([Promise.try(closing), isLate]).catch((error) =>
      platform.log.error({ err: error, service }, 'a service could not close what it holds'),
    )
  }
  for (const { name, start } of services) {
    if (held.has(name)) continue
    try {
      held.set(name, await start?.(platformOf(platform, name), (closing) => opened.defer(() => close(name, closing))))
    } catch (cause) {
      throw new Error(`${name} could not start: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  }
  return (some) => some.map((service) => ({ ...service, held: held.get(service.name) }))
}
