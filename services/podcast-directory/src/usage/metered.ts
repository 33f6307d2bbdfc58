import { type AnyPrepared, type Context, Engine, type Handler, Prepared, type Resource } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { headersOf } from './usage.ts'

type Resources = Readonly<Record<string, Resource<ServiceRuntime>>>

/** Makes resources count their requests, by the meter of the node that answers. */
export function metered(resources: Resources): Resources {
  return Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, meteredOne(resource)]))
}

function meteredOne({ contract, handlers }: Resource<ServiceRuntime>): Resource<ServiceRuntime> {
  const entries = Object.entries(handlers).map(([name, handler]) => {
    const counts = !(handler instanceof Engine) && contract[name]?.open !== true
    return [name, counts ? counted(handler) : handler]
  })
  return { contract, handlers: Object.fromEntries(entries) }
}

function counted(
  handler: Handler<ServiceRuntime> | AnyPrepared<ServiceRuntime>,
): Handler<ServiceRuntime> | AnyPrepared<ServiceRuntime> {
  if (typeof handler === 'function') return (input, context) => counting(context, () => handler(input, context))
  return new Prepared(async (input, outside) => {
    const inside = await handler.prepare(input, outside)
    return (context) => counting(context, () => inside(context))
  })
}

async function counting(
  { db, caller, runtime }: Context<ServiceRuntime>,
  answer: () => ReturnType<Handler>,
): ReturnType<Handler> {
  const began = performance.now()
  const usage = await runtime.meter.count(db, caller.tenant)
  const reply = await answer()
  return { ...reply, headers: { ...headersOf(usage, performance.now() - began), ...reply.headers } }
}
