import { type Blobs, Engine, type Handler, type Resource, type Service } from '@icosa/kernel'
import { type Meter, openMeter } from './meter.ts'
import { headersOf } from './usage.ts'

/** Makes resources count their requests, and says how to open the count on a node and close it there. */
export function metering(quota: number | undefined) {
  // A node is known by its blobs: one process may have several nodes.
  const meters = new WeakMap<Blobs, Meter>()

  const routes: NonNullable<Service['routes']> =
    ({ platform }) =>
    async (app) => {
      const meter = openMeter(platform, quota)
      meters.set(platform.blobs, meter)
      app.addHook('onClose', () => meter.flush())
    }

  const counted =
    (handler: Handler): Handler =>
    async (input, context) => {
      const began = performance.now()
      const usage = await meters.get(context.blobs)?.count(context.db, context.caller.tenant)
      const reply = await handler(input, context)
      if (!usage) return reply
      return { ...reply, headers: { ...headersOf(usage, performance.now() - began), ...reply.headers } }
    }

  const meteredOne = ({ contract, handlers }: Resource): Resource => {
    const entries = Object.entries(handlers).map(([name, handler]) => {
      const counts = !(handler instanceof Engine) && contract[name]?.open !== true
      return [name, counts ? counted(handler) : handler]
    })
    return { contract, handlers: Object.fromEntries(entries) }
  }
  const metered = (resources: Readonly<Record<string, Resource>>): Readonly<Record<string, Resource>> =>
    Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, meteredOne(resource)]))

  return { metered, routes }
}
