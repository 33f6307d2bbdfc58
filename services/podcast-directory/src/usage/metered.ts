import { type AnyPrepared, type Context, Engine, type Handler, Prepared, type Resource } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { headersOf } from './usage.ts'

type Resources = Readonly<Record<string, Resource<ServiceRuntime>>>

/** Makes resources count their requests with the node's meter. */
export function metered(resources: Resources): Resources {
  return Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, meteredOne(resource)]))
}

function meteredOne({ contract, handlers }: Resource<ServiceRuntime>): Resource<ServiceRuntime> {
  const entries = Object.entries(handlers).map(([name, handler]) => {
    const counts = !(handler instanceof Engine) && contract[name]?.open !== true
    return [name, counts ? countedHandler(handler) : handler]
  })
  return { contract, handlers: Object.fromEntries(entries) }
}

function countedHandler(
  handler: Handler<ServiceRuntime> | AnyPrepared<ServiceRuntime>,
): Handler<ServiceRuntime> | AnyPrepared<ServiceRuntime> {
  if (typeof handler === 'function') return (input, context) => countRequest(context, () => handler(input, context))
  return new Prepared(async (input, outside) => {
    const inside = await handler.prepare(input, outside)
    return (context) => countRequest(context, () => inside(context))
  })
}

async function countRequest(
  { db, caller, runtime }: Context<ServiceRuntime>,
  handle: () => ReturnType<Handler>,
): ReturnType<Handler> {
  const startedAt = performance.now()
  const usage = await runtime.meter.count(db, caller.tenant)
  const reply = await handle()
  return { ...reply, headers: { ...headersOf(usage, performance.now() - startedAt), ...reply.headers } }
}
