import {
  type AnyPrepared,
  type Blobs,
  type Context,
  Engine,
  type Handler,
  Prepared,
  type Resource,
  type Service,
} from '@icosa/kernel'
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

  async function counting({ blobs, db, caller }: Context, answer: () => ReturnType<Handler>): ReturnType<Handler> {
    const began = performance.now()
    const usage = await meters.get(blobs)?.count(db, caller.tenant)
    const reply = await answer()
    if (!usage) return reply
    return { ...reply, headers: { ...headersOf(usage, performance.now() - began), ...reply.headers } }
  }

  function counted(handler: Handler | AnyPrepared): Handler | AnyPrepared {
    if (typeof handler === 'function') return (input, context) => counting(context, () => handler(input, context))
    return new Prepared(async (input, outside) => {
      const inside = await handler.prepare(input, outside)
      return (context) => counting(context, () => inside(context))
    })
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
