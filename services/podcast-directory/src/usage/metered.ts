import { type AnyPrepared, type Context, Engine, type Handler, Prepared, type Resource } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { headersOf } from './usage.ts'

type Resources = Readonly<Record<string, Resource<Held>>>

/** Makes resources count their requests, by the meter of the node that answers. */
export function metered(resources: Resources): Resources {
  return Object.fromEntries(Object.entries(resources).map(([name, resource]) => [name, meteredOne(resource)]))
}

function meteredOne({ contract, handlers }: Resource<Held>): Resource<Held> {
  const entries = Object.entries(handlers).map(([name, handler]) => {
    const counts = !(handler instanceof Engine) && contract[name]?.open !== true
    return [name, counts ? counted(handler) : handler]
  })
  return { contract, handlers: Object.fromEntries(entries) }
}

function counted(handler: Handler<Held> | AnyPrepared<Held>): Handler<Held> | AnyPrepared<Held> {
  if (typeof handler === 'function') return (input, context) => counting(context, () => handler(input, context))
  return new Prepared(async (input, outside) => {
    const inside = await handler.prepare(input, outside)
    return (context) => counting(context, () => inside(context))
  })
}

async function counting({ db, caller, held }: Context<Held>, answer: () => ReturnType<Handler>): ReturnType<Handler> {
  const began = performance.now()
  const usage = await held.meter.count(db, caller.tenant)
  const reply = await answer()
  return { ...reply, headers: { ...headersOf(usage, performance.now() - began), ...reply.headers } }
}
